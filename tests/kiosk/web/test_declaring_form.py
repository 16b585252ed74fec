"""A declaration goes into the form's fields and comes back as it was: no choice is lost on the way."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kiosk.storage.wire import command_of, output
from kiosk.web.declaring_form import fields_of
from kiosk.web.forms import DECLARED_REROLLS, ROWS, declaration_of
from rules.game import (
    Assistance,
    Attribute,
    Circumstance,
    Declaration,
    DeclareTask,
    Discipline,
    Modifier,
    Payer,
    Purchase,
    ShipAssistance,
    System,
)

ATTRIBUTES = st.sampled_from(Attribute)
DISCIPLINES = st.sampled_from(Discipline)
TYPED = st.sampled_from(["", "Fog", "Arbeit <b>", "O'Brien & Co"])
PURCHASES = st.one_of(
    st.builds(Purchase, payer=st.just(Payer.MOMENTUM), threat_part=st.integers(0, 3)),
    st.builds(Purchase, payer=st.sampled_from(Payer)),
)
DECLARATIONS = st.builds(
    Declaration,
    character_id=st.sampled_from(["ada", "reed"]),
    attribute=ATTRIBUTES,
    discipline=DISCIPLINES,
    focus=st.booleans(),
    label=TYPED,
    difficulty=st.integers(1, 5),
    modifiers=st.lists(
        st.builds(
            Modifier,
            reason=TYPED,
            change=st.sampled_from([-2, -1, 1, 2]),
            circumstance=st.none() | st.sampled_from(Circumstance),
        ),
        max_size=len(ROWS),
    ).map(tuple),
    complication_range=st.integers(1, 5),
    purchases=st.lists(PURCHASES, max_size=len(ROWS)).map(tuple),
    value=TYPED,
    assists=st.lists(
        st.builds(
            Assistance,
            character_id=st.sampled_from(["okafor", "tal"]),
            attribute=ATTRIBUTES,
            discipline=DISCIPLINES,
            focus=st.booleans(),
        ),
        max_size=2,
    ).map(tuple),
    ship=st.none()
    | st.builds(ShipAssistance, ship_id=st.just("ship"), system=st.sampled_from(System), department=DISCIPLINES),
    rolled=st.just(True),  # noqa: FBT003 - a declaration of Difficulty 1 or more is rolled
    may_succeed_at_cost=st.booleans(),
    opposed=st.booleans(),
    rerolls=st.sets(st.sampled_from(DECLARED_REROLLS)).map(
        lambda found: tuple(one for one in DECLARED_REROLLS if one in found)
    ),
)


@given(DECLARATIONS)
def test_a_declaration_comes_back_from_its_fields(declared: Declaration) -> None:
    fields = fields_of(output(declared))
    command = command_of({"command": "declare_task", "declaration": declaration_of(fields)}).command
    assert isinstance(command, DeclareTask)
    assert command.declaration == declared
