/* One well of the tray: what its reader has shown lately, and what that means.
 *
 * Looks come one after the other and any of them may err; a well keeps just enough of them to tell a die that lies
 * still from one that tumbles, that was taken, or that lies at a dead spot where its tag comes and goes. */
#ifndef WELL_H
#define WELL_H

#include "messages.h"
#include "readers.h"
#include "timing.h"

enum {
    WELL_LOOKS_SAME = 3,          /* looks in a row that make a tag believed, or its absence */
    WELL_STEADY_MILLISECONDS = 300,
    WELL_RESTLESS_MILLISECONDS = 1000, /* two gaps within this are a dead spot */
    WELL_DEAD_MILLISECONDS = 2000,     /* so long a dead spot has to be steady before it is trusted again */
    WELL_ABSENT_MILLISECONDS = 1000,   /* so long a tag at a dead spot has to be away before it has left */
    WELL_ASK_MILLISECONDS = 225,
    WELL_PATIENCE_MILLISECONDS = 1000, /* how long the host may take to say what a tag means */
};

/* What the host says about a tag. */
struct meaning {
    uint32_t die_id;
    uint8_t kind;  /* KIND_NOT_KNOWN once it is `known`: nobody has taught this tag */
    uint8_t face;  /* the one that is up */
    bool known;    /* there is an answer, or there was none in time */
    bool asking;   /* TAG goes out until there is an answer */
    uint32_t ask_due;
    struct timer patience;
};

enum well_news {
    WELL_NO_NEWS,
    WELL_CHANGED,  /* other tags than before lie there */
    WELL_RETURNED, /* the tag that left a moment ago is back: it came and went */
    WELL_LEFT,     /* what lay there is gone */
};

struct well {
    uint8_t count;                    /* tags that lie there */
    uint32_t tags[READERS_TAGS_MOST];
    struct meaning meanings[READERS_TAGS_MOST];
    uint32_t last_tag;                /* the one that left last, while `absent` runs */
    uint8_t same;                     /* looks in a row that showed just these tags */
    uint8_t missed;                   /* looks in a row that showed nothing */
    uint8_t garbled;                  /* looks in a row that could not be read */
    bool unreadable;                  /* something lies there, but no look says what */
    bool interrupted;                 /* the last look did not show the tags */
    bool broken;                      /* the reader is out of order */
    bool dead;                        /* dead spot */
    struct timer steady, restless, dead_until, absent;
};

void well_start(struct well *well);

/* Take a look. `quiet`: nothing moves the tray and no hand is over it, so that a gap is the tag's own. */
enum well_news well_take(struct well *well, const struct look *look, bool quiet, uint32_t now);

/* Whether anything lies there. */
bool well_is_taken(const struct well *well);

/* Whether what lies there has lain still for its settle window. */
bool well_is_steady(struct well *well, uint32_t now);

/* SNAPSHOT: ask for the meanings anew. The old ones hold until the answer comes. */
void well_forget(struct well *well, uint32_t now);

/* An answer of the host; ignored when that tag does not lie here. */
void well_hear(struct well *well, const struct message_taught *taught);

/* The tag that is to be asked about now, if any; patience ends here too. `may_ask`: the host is there to answer. */
bool well_question(struct well *well, bool may_ask, uint32_t now, uint32_t *tag);

/* Whether a tag of this die lies here, as far as the host has said what the tags mean. */
bool well_holds(const struct well *well, uint32_t die_id);

/* What DIE has to say about what lies here at rest: die, kind, face, state and confidence. False while an answer may
 * still come. */
bool well_verdict(const struct well *well, struct message_die *die);

#endif
