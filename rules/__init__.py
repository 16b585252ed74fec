"""The game, pure: values in, values out, standard library only; no I/O, clock, randomness or logging.

Enters: dice that someone threw, commands, and the table as it stands. Leaves: events, outcomes, what is legal now and
its price, sentences, or a refusal that cites the rule. Rule IDs are those of docs/rules.md.

Rooms, each knowing only those before it: dice <- words <- errors <- state <- rulesets <- deciding <- tasks <- conflict
<- ships <- setup <- house <- table <- undo <- messages <- narrate <- history <- odds <- legal <- status <- game.
In a subject's room stand its messages (each event with its fold and its sentence), its data as tables, and its rules.
Whoever plays the game imports `rules.game`; who only reads dice or says a sentence, `rules.dice` and `rules.words`.
"""
