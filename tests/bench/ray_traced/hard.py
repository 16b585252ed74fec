"""A tray of `looks` in Blender: its lamps, table and dice, and what is true of each die."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import bpy
import numpy as np
from mathutils import Matrix, Vector
from PIL import ImageFont

from rules.dice import DieKind
from tests.bench.ray_traced.faces import LetteredDie, face_frame, mat
from tests.bench.ray_traced.hands import Hand, hand, worn
from tests.bench.ray_traced.looks import (
    INKS,
    MATERIALS,
    Colour,
    Finish,
    Mask,
    Part,
    Pattern,
    Plan,
    Stand,
    Weave,
    drawn,
    finished,
    linear,
    within,
)
from tests.bench.ray_traced.placing import laid
from tests.bench.ray_traced.world import Rested, Thing, World, atlas
from vision.pose.geometry import Array

_SHARES: Final[dict[DieKind | None, float]] = {DieKind.D20: 0.45, DieKind.CHALLENGE: 0.34, DieKind.D6: 0.17, None: 0.04}
_ACROSS_D20: Final = (1.6, 3.4)
_EDGE: Final = (1.2, 2.0)
_CIRCUMRADIUS_OF_OTHERS: Final = 1.2
_PEN: Final = 0.36
"""A heap grows in a square whose half side, squared, is this much for each die, in squared circumradii."""
_LIFTED: Final = 120
_ROOM_A_DIE: Final = 4.5
_WAVES: Final = {Pattern.SWIRL: ("BANDS", 9.0), Pattern.RINGS: ("RINGS", 1.5)}


@dataclass(frozen=True)
class DiceSet:
    """Dice bought together: one hand, one finish, one size."""

    hand: Hand
    finish: Finish
    d20: float
    cube: float

    def size(self, kind: DieKind | None) -> float:
        """The circumradius of its dice of a kind, in centimetres."""
        if kind is DieKind.D20:
            return self.d20
        return self.cube if kind is not None else _CIRCUMRADIUS_OF_OTHERS


@dataclass(frozen=True)
class Cast:
    """One die of a set, and the ink that is left on each of its faces."""

    die: LetteredDie
    of: DiceSet
    left: tuple[Mask, ...]

    @property
    def size(self) -> float:
        """Its circumradius in centimetres."""
        return self.of.size(self.die.kind)


@dataclass(frozen=True)
class SeenDie:
    """A die in the picture: how much of its upper face is hidden, and where that face and its mask lie, in pixels."""

    cast: Cast
    rested: Rested
    hidden: float
    square: Array
    face: Array


class HardWorld(World):
    """One tray as planned, built anew."""

    def __init__(self, rng: np.random.Generator, part: Part, plan: Plan, fonts: Sequence[Path], samples: int) -> None:
        super().__init__(rng, samples, plan.frame.size)
        self.part, self.plan, self.fonts = part, plan, fonts
        self.scene.render.resolution_percentage = round(100 * plan.frame.drawn)
        cycles = self.scene.cycles
        cycles.max_bounces = cycles.transmission_bounces = 8
        cycles.diffuse_bounces, cycles.glossy_bounces = 2, 3
        cycles.sample_clamp_indirect = 8.0
        cycles.blur_glossy = 0.5
        self.camera(radius=plan.radius, hfov=plan.hfov, askew=plan.askew)
        self.light()
        self.table()

    # -- light and table -------------------------------------------------------------------------------------------

    def light(self) -> None:
        """The plan's lamps."""
        rng, row = self.rng, self.plan.lamps
        world = bpy.data.worlds.new("world")
        world.use_nodes = True
        sky = world.node_tree.nodes["Background"]
        sky.inputs[0].default_value = (*linear(row.colours[int(rng.integers(len(row.colours)))]), 1)
        sky.inputs[1].default_value = within(rng, row.ambient)
        self.scene.world = world
        for _ in range(int(rng.integers(row.count[0], row.count[1] + 1))):
            colour = row.colours[int(rng.integers(len(row.colours)))]
            if row.stand is Stand.RING:
                self._ring(within(rng, row.size), colour)
            else:
                self._lamp(colour)

    def _lamp(self, colour: Colour) -> None:
        rng, row = self.rng, self.plan.lamps
        angle = float(rng.uniform(0, 2 * math.pi))
        if row.stand is Stand.CAMERA:
            offset = Vector((math.cos(angle), math.sin(angle), 0)) * float(rng.uniform(2, 6))
            where = self.eye.location + offset
        elif row.stand is Stand.AROUND:
            where = Vector((*rng.normal(0, 55, 2), float(rng.uniform(70, 160))))
        else:
            far, high = ((20, 55), (7, 20)) if row.stand is Stand.LOW else ((80, 130), (35, 95))
            reach = within(rng, far)
            where = Vector((math.cos(angle) * reach, math.sin(angle) * reach, within(rng, high)))
        data: Thing = bpy.data.lights.new("lamp", "AREA")
        data.shape = "RECTANGLE"
        data.size = within(rng, row.size)
        data.size_y = data.size * row.tall
        data.energy = float(rng.uniform(0.5, 1.5)) * 10 * where.length_squared
        data.color = linear(colour)
        lamp = bpy.data.objects.new("lamp", data)
        lamp.location, lamp.rotation_mode = where, "QUATERNION"
        lamp.rotation_quaternion = (-where).to_track_quat("-Z", "Y")
        self.scene.collection.objects.link(lamp)

    def _ring(self, radius: float, colour: Colour) -> None:
        """A ring of light round the camera."""
        bpy.ops.mesh.primitive_torus_add(major_radius=radius, minor_radius=0.8, location=self.eye.location)
        ring = bpy.context.object
        ring.rotation_mode, ring.rotation_quaternion = "QUATERNION", self.eye.rotation_quaternion
        ring.visible_camera = False
        glow = self._material((0, 0, 0), roughness=1)
        shader = glow.node_tree.nodes["Principled BSDF"]
        shader.inputs["Emission Color"].default_value = (*linear(colour), 1)
        shader.inputs["Emission Strength"].default_value = 0.06 * self.height**2 / radius
        ring.data.materials.append(glow)

    def table(self) -> None:
        """The plan's table, with or without walls."""
        rng, row = self.rng, self.plan.table
        base: Colour = row.colours[int(rng.integers(len(row.colours)))] if row.colours else _any_colour(rng)
        shades = np.clip(np.array(base) * rng.uniform(*row.spread, 3 if rng.random() < 0.5 else 1), 0.01, 0.98)
        other: Colour = (float(shades[0]), float(shades[1]), float(shades[2]))
        made = self._material(linear(base), roughness=within(rng, row.roughness))
        nodes, links = made.node_tree.nodes, made.node_tree.links
        shader = nodes["Principled BSDF"]
        shader.inputs["Sheen Weight"].default_value = row.sheen
        shader.inputs["Coat Weight"].default_value = row.coat
        shader.inputs["Coat Roughness"].default_value = 0.05
        scale = within(rng, row.scale)
        share = self._weave(made, row.weave, scale)
        links.new(
            _mixed(made, share, _constant(made, linear(base)), _constant(made, linear(other))),
            shader.inputs["Base Color"],
        )
        if row.bump > 0:
            _bumped(made, share, row.bump, 0.05)
        self._plane(made)
        self._fence(self._material(linear(_any_colour(rng)), roughness=0.5), shown=bool(rng.random() < row.walls))

    def _weave(self, made: Thing, weave: Weave, scale: float) -> Thing:
        """Where the table shows its second colour, 0 to 1."""
        nodes, links = made.node_tree.nodes, made.node_tree.links
        place = _placed(made, self.rng)
        if weave is Weave.PRINT:
            font = ImageFont.truetype(str(self.fonts[int(self.rng.integers(len(self.fonts)))]), 60)
            image, _ = atlas((mat(self.rng, font),))
            texture = nodes.new("ShaderNodeTexImage")
            texture.image = image
            shrunk = nodes.new("ShaderNodeVectorMath")
            shrunk.operation = "SCALE"
            shrunk.inputs["Scale"].default_value = 1 / float(self.rng.uniform(22, 45))
            links.new(place, shrunk.inputs[0])
            links.new(shrunk.outputs[0], texture.inputs["Vector"])
            return texture.outputs["Color"]
        sort, output, settings = {
            Weave.NOISE: ("TexNoise", 0, {"Detail": 4.0}),
            Weave.WOOD: ("TexWave", 1, {"Distortion": float(self.rng.uniform(3, 9)), "Detail": 4.0}),
            Weave.LEATHER: ("TexVoronoi", 0, {}),
            Weave.CHECKS: ("TexChecker", 1, {}),
            Weave.STRIPES: ("TexWave", 1, {}),
            Weave.BRICKS: ("TexBrick", 1, {}),
        }[weave]
        node = nodes.new(f"ShaderNode{sort}")
        for name, value in ({"Scale": scale} | settings).items():
            node.inputs[name].default_value = value
        links.new(place, node.inputs["Vector"])
        return node.outputs[output]

    # -- dice ------------------------------------------------------------------------------------------------------

    def cast(self) -> list[Cast]:
        """The dice of the tray: of one to four sets, of all kinds."""
        rng, sort = self.rng, self.plan.sort
        sets = []
        for _ in range(int(rng.integers(1, 5))):
            material = drawn(rng, MATERIALS, self.part, sort.materials)
            finish = finished(rng, material, drawn(rng, INKS, self.part, sort.inks))
            across = float(np.clip(rng.normal(2.05, 0.4), *_ACROSS_D20))
            edge = within(rng, _EDGE) * math.sqrt(3) / 2
            sets.append(DiceSet(hand(rng, self.part, self.fonts), finish, across / 2 / 0.795, edge))
        dice = []
        low, high = self.plan.layout.dice
        for _ in range(int(rng.integers(low, high + 1))):
            kind = list(_SHARES)[int(rng.choice(len(_SHARES), p=list(_SHARES.values())))]
            of = sets[int(rng.integers(len(sets)))]
            die = of.hand.lettered(rng, kind)
            gone = within(rng, of.finish.ink.worn)
            dice.append(Cast(die, of, tuple(worn(rng, mask, gone) for mask in die.masks)))
        return dice

    def lay_out(self, dice: Sequence[Cast]) -> list[tuple[Cast, Thing]]:
        """The dice as the layout has them; those that find no place are left out."""
        layout = self.plan.layout
        if layout.falls:
            return self._fallen(dice)
        right, _ = self.sideways()
        about = math.atan2(right.y, right.x)
        turned = np.array(Matrix.Rotation(about, 3, "Z"))
        solids = [(one.die.solid, one.size) for one in dice]
        largest = max(size for _, size in solids)
        room = (max(0.1, self.wide * 0.9 - largest), max(0.1, self.tall * 0.88 - largest))
        result = []
        for one, where in zip(dice, laid(self.rng, solids, room, layout), strict=True):
            if where is None:
                continue
            made = self._made(one, falls=False)
            frame = np.eye(4)
            frame[:3, :3] = turned @ where.turn
            lowest = float((one.die.solid.vertices @ where.turn.T)[:, 2].min())
            frame[:3, 3] = turned @ np.array([*where.place, -lowest * one.size])
            made.matrix_world = Matrix(frame.tolist())
            result.append((one, made))
        bpy.context.view_layer.update()
        return result

    def _fallen(self, dice: Sequence[Cast]) -> list[tuple[Cast, Thing]]:
        heaped = self.plan.layout.heaped
        largest = max(one.size for one in dice)
        reach = (self.room[0] * 0.525, self.room[1] * 0.525)
        if heaped:
            half = largest * math.sqrt(_PEN * len(dice))
            reach = (max(0.2, half - largest),) * 2
            self._pen(half)
        else:
            dice = dice[: max(2, int(self.room[0] * self.room[1] / _ROOM_A_DIE))]
        result = []
        for number, one in enumerate(dice):
            made = self._made(one, falls=True)
            self._held(made, number, reach)
            if heaped:
                made.rigid_body.friction, made.rigid_body.restitution = 0.9, 0.0
            result.append((one, made))
        self._settle(frames=_LIFTED + 140 if heaped else 160)
        return result

    def _pen(self, half: float) -> None:
        """Walls that nobody sees round a heap as it grows; they are lifted when it lies, and what leans may slide."""
        for across, along in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            bpy.ops.mesh.primitive_cube_add(size=1)
            wall = bpy.context.object
            wall.scale = (1.0 + 2 * half * abs(along), 1.0 + 2 * half * abs(across), 60)
            wall.location = (across * (half + 0.5), along * (half + 0.5), 30)
            bpy.ops.rigidbody.object_add(type="PASSIVE")
            wall.rigid_body.kinematic, wall.rigid_body.friction = True, 0.0
            wall.hide_render = True
            wall.keyframe_insert("location", frame=_LIFTED)
            wall.location.z = 500
            wall.keyframe_insert("location", frame=_LIFTED + 1)

    def _made(self, one: Cast, *, falls: bool) -> Thing:
        image, cells = atlas(one.die.masks, one.left)
        made = self._body(one.die, one.size, cells, falls=falls)
        made.data.materials.append(self._finish(one.of.finish, image))
        bevel = made.modifiers.new("bevel", "BEVEL")
        bevel.width, bevel.segments = one.size * one.of.finish.bevel, 4
        return made

    def _finish(self, finish: Finish, image: Thing) -> Thing:
        row = finish.material
        made = self._material(linear(finish.body), roughness=finish.roughness)
        nodes, links = made.node_tree.nodes, made.node_tree.links
        shader = nodes["Principled BSDF"]
        texture = nodes.new("ShaderNodeTexImage")
        texture.image, texture.interpolation = image, "Cubic"
        parts = nodes.new("ShaderNodeSeparateColor")
        links.new(texture.outputs["Color"], parts.inputs[0])
        groove, ink = parts.outputs[0], parts.outputs[1]
        body, flakes = self._pattern(made, finish)
        links.new(_mixed(made, ink, body, _constant(made, linear(finish.filled))), shader.inputs["Base Color"])
        metal = flakes if flakes is not None else row.metallic
        filled = 1.0 if finish.ink.metals else row.metallic if finish.ink.engraved else 0.0
        links.new(_between(made, ink, metal, filled), shader.inputs["Metallic"])
        shine = 0.25 if finish.ink.metals else finish.roughness if finish.ink.engraved else 0.5
        links.new(_between(made, ink, finish.roughness, shine), shader.inputs["Roughness"])
        shader.inputs["Coat Weight"].default_value = row.coat
        shader.inputs["Coat Roughness"].default_value = 0.04
        shader.inputs["Anisotropic"].default_value = row.anisotropic
        shader.inputs["Thin Film Thickness"].default_value = row.film
        shader.inputs["IOR"].default_value = 1.5
        if row.clear > 0:
            self._cleared(made, finish, ink)
        height = groove
        if row.pattern is Pattern.SCRATCHES:
            height = self._scratched(made, finish, groove)
        if finish.depth > 0.05:
            _bumped(made, height, min(1.0, finish.depth), 0.05 * max(1.0, finish.depth), sunk=True)
        return made

    def _pattern(self, made: Thing, finish: Finish) -> tuple[Thing, Thing | None]:
        """The body's colour, and how much of a metal flake a place is where there are any."""
        row, rng = finish.material, self.rng
        body, second = _constant(made, linear(finish.body)), _constant(made, linear(finish.second))
        if row.clear > 0.5:
            body = _constant(made, (1.0, 1.0, 1.0))
        if row.pattern in {Pattern.PLAIN, Pattern.SCRATCHES}:
            return body, None
        nodes, links = made.node_tree.nodes, made.node_tree.links
        place = _placed(made, rng)
        if row.pattern in {Pattern.SPECKS, Pattern.FLAKES}:
            cells = nodes.new("ShaderNodeTexVoronoi")
            cells.inputs["Scale"].default_value = finish.grain
            links.new(place, cells.inputs["Vector"])
            if row.pattern is Pattern.SPECKS:
                there = _compared(made, cells.outputs["Distance"], "LESS_THAN", 0.15 + 0.5 * finish.cover)
                return _mixed(made, there, body, second), None
            there = _compared(made, cells.outputs["Color"], "LESS_THAN", finish.cover)
            return _mixed(made, there, body, second), there
        if row.pattern is Pattern.LAYERS:
            along = nodes.new("ShaderNodeSeparateXYZ")
            links.new(place, along.inputs[0])
            there = _compared(made, along.outputs[int(rng.integers(3))], "GREATER_THAN", float(rng.uniform(-0.4, 0.4)))
            return _mixed(made, there, body, second), None
        if row.pattern in _WAVES:
            node = nodes.new("ShaderNodeTexWave")
            node.wave_type, distortion = _WAVES[row.pattern]
            node.inputs["Distortion"].default_value, output = distortion, node.outputs[1]
            node.inputs["Detail"].default_value = 2.0
        else:
            node = nodes.new("ShaderNodeTexNoise")
            node.inputs["Distortion"].default_value, output = float(rng.uniform(1, 4)), node.outputs[0]
        node.inputs["Scale"].default_value = finish.grain
        links.new(place, node.inputs["Vector"])
        return _mixed(made, output, body, second), None

    def _cleared(self, made: Thing, finish: Finish, ink: Thing) -> None:
        """Light goes through where no ink is, and some of it is swallowed on the way."""
        row = finish.material
        nodes, links = made.node_tree.nodes, made.node_tree.links
        shader, out = nodes["Principled BSDF"], nodes["Material Output"]
        through = _between(made, ink, row.clear, row.clear if finish.ink.engraved else 0.0)
        links.new(through, shader.inputs["Transmission Weight"])
        inside = nodes.new("ShaderNodeVolumeAbsorption")
        inside.inputs["Color"].default_value = (*linear(finish.body), 1)
        inside.inputs["Density"].default_value = finish.swallows
        links.new(inside.outputs[0], out.inputs["Volume"])
        rays, lit, mix = (nodes.new(f"ShaderNode{name}") for name in ("LightPath", "BsdfTransparent", "MixShader"))
        share = nodes.new("ShaderNodeMath")
        share.operation = "MULTIPLY"
        links.new(rays.outputs["Is Shadow Ray"], share.inputs[0])
        links.new(_between(made, ink, 0.75 * row.clear, 0.0), share.inputs[1])
        links.new(share.outputs[0], mix.inputs[0])
        links.new(shader.outputs[0], mix.inputs[1])
        links.new(lit.outputs[0], mix.inputs[2])
        links.new(mix.outputs[0], out.inputs["Surface"])

    def _scratched(self, made: Thing, finish: Finish, groove: Thing) -> Thing:
        nodes, links = made.node_tree.nodes, made.node_tree.links
        stretched = nodes.new("ShaderNodeMapping")
        stretched.inputs["Scale"].default_value = (1.0, 14.0, 1.0)
        links.new(_placed(made, self.rng), stretched.inputs["Vector"])
        noise = nodes.new("ShaderNodeTexNoise")
        noise.inputs["Scale"].default_value = finish.grain
        links.new(stretched.outputs[0], noise.inputs["Vector"])
        fine = nodes.new("ShaderNodeMath")
        fine.operation, fine.inputs[1].default_value = "MULTIPLY_ADD", 0.12
        links.new(noise.outputs[0], fine.inputs[0])
        links.new(groove, fine.inputs[2])
        return fine.outputs[0]

    # -- truth -----------------------------------------------------------------------------------------------------

    def seen(self, dice: Sequence[tuple[Cast, Thing]]) -> list[SeenDie]:
        """Where the dice lie, and how much of their upper faces can be seen."""
        return [self._seen_die(one, made) for one, made in dice]

    def _seen_die(self, one: Cast, made: Thing) -> SeenDie:
        rested = self._rested(one.die, made, one.size)
        frame = np.array(made.matrix_world)

        def in_world(points: Array) -> Array:
            placed: Array = points * one.size @ frame[:3, :3].T + frame[:3, 3]
            return placed

        corners = in_world(one.die.solid.vertices[list(one.die.solid.faces[rested.face])])
        return SeenDie(
            one,
            rested,
            self._hidden(corners),
            self._seen(in_world(face_frame(one.die, rested.face).square())),
            self._seen(corners),
        )

    def _hidden(self, corners: Array) -> float:
        """The share of a face (its corners, in the world) that something is in front of."""
        rng = np.random.default_rng(1)
        points = rng.dirichlet(np.ones(len(corners)), 48) @ (0.9 * corners + 0.1 * corners.mean(axis=0))
        graph = bpy.context.evaluated_depsgraph_get()
        covered = 0
        for point in points:
            start = Vector(point.tolist())
            way = self.eye.location - start
            far = way.length
            way.normalize()
            hit, *_ = self.scene.ray_cast(graph, start + way * 0.05, way, distance=far - 0.5)
            covered += bool(hit)
        return covered / len(points)


def _any_colour(rng: np.random.Generator) -> Colour:
    """Of a table or a wall: seldom as strong as dice are."""
    grey, strength = float(rng.uniform(0.05, 0.85)), float(rng.uniform(0, 1)) ** 2
    red, green, blue = (float(np.clip(grey + strength * v, 0.03, 0.95)) for v in rng.uniform(-0.45, 0.45, 3))
    return red, green, blue


def _constant(made: Thing, colour: Colour) -> Thing:
    node = made.node_tree.nodes.new("ShaderNodeRGB")
    node.outputs[0].default_value = (*colour, 1)
    return node.outputs[0]


def _mixed(made: Thing, share: Thing, first: Thing, second: Thing) -> Thing:
    """A colour between two."""
    node = made.node_tree.nodes.new("ShaderNodeMix")
    node.data_type = "RGBA"
    for socket, place in ((share, 0), (first, 6), (second, 7)):
        made.node_tree.links.new(socket, node.inputs[place])
    return node.outputs[2]


def _between(made: Thing, share: Thing, first: float | Thing, second: float) -> Thing:
    """A number between two."""
    node = made.node_tree.nodes.new("ShaderNodeMix")
    made.node_tree.links.new(share, node.inputs[0])
    if isinstance(first, float):
        node.inputs[2].default_value = first
    else:
        made.node_tree.links.new(first, node.inputs[2])
    node.inputs[3].default_value = second
    return node.outputs[0]


def _compared(made: Thing, value: Thing, how: str, limit: float) -> Thing:
    node = made.node_tree.nodes.new("ShaderNodeMath")
    node.operation, node.inputs[1].default_value = how, limit
    made.node_tree.links.new(value, node.inputs[0])
    return node.outputs[0]


def _placed(made: Thing, rng: np.random.Generator) -> Thing:
    """Places on the thing, moved at random, so that no two things have the same pattern."""
    nodes = made.node_tree.nodes
    place, moved = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeMapping")
    moved.inputs["Location"].default_value = tuple(rng.uniform(-0.5, 0.5, 3))
    moved.inputs["Rotation"].default_value = tuple(rng.uniform(0, 2 * math.pi, 3) * (0, 0, 1))
    made.node_tree.links.new(place.outputs["Object"], moved.inputs["Vector"])
    return moved.outputs[0]


def _bumped(made: Thing, height: Thing, strength: float, distance: float, *, sunk: bool = False) -> None:
    bump = made.node_tree.nodes.new("ShaderNodeBump")
    bump.invert = sunk
    bump.inputs["Strength"].default_value, bump.inputs["Distance"].default_value = strength, distance
    made.node_tree.links.new(height, bump.inputs["Height"])
    made.node_tree.links.new(bump.outputs[0], made.node_tree.nodes["Principled BSDF"].inputs["Normal"])
