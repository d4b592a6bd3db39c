//! Causes in the use of the clock.

use super::{ALWAYS, Explanation, HARDLY, LIKELY, MAYBE, SELDOM, SURE};

pub(super) const CAUSES: &[Explanation] = &[
    Explanation {
        id: "clock-unused",
        cause: "far too little of the clock is used",
        advice: "Print the budget for the first move at 10+0.1: 200 to 800 ms are sensible. Look for a division or a \
                 subtraction too many, and for an iteration that is not begun because half of the budget is gone.",
        predicts: &[
            ("clock.share", SURE),
            ("clock.first-moves", MAYBE),
            ("clock.flag", HARDLY),
            ("clock.low-time", HARDLY),
            ("clock.last-moves", HARDLY),
            ("fast-games.flags", HARDLY),
        ],
    },
    Explanation {
        id: "clock-overrun",
        cause: "the engine thinks until its flag has fallen",
        advice: "The hard limit must be well below what is left, and be looked at inside the search, not between iterations.",
        predicts: &[
            ("clock.flag", LIKELY),
            ("clock.low-time", LIKELY),
            ("clock.early-increment", LIKELY),
            ("clock.last-moves", LIKELY),
            ("clock.own-clock", SELDOM),
            ("fast-games.flags", LIKELY),
            ("compliance.answers", 0.2),
            ("clock.first-moves", LIKELY),
            ("limits.movetime", 0.1),
            ("clock.increment", MAYBE),
        ],
    },
    Explanation {
        id: "increment-early",
        cause: "the increment is spent before it has been added",
        advice: "wtime and btime are all there is for this move; winc and binc come after it. Bound the budget by what is left, \
                 less a reserve, after the increment has been counted in.",
        predicts: &[
            ("clock.early-increment", SURE),
            ("clock.low-time", HARDLY),
            ("clock.flag", SELDOM),
            ("fast-games.flags", SELDOM),
        ],
    },
    Explanation {
        id: "control-overrun",
        cause: "the last moves before a time control plan with all that is left, or more",
        advice: "With 'movestogo 1' what is left, less a reserve, is for this move; with 'movestogo 2' about half of it is. Bound \
                 the budget last, after all that multiplies it.",
        predicts: &[
            ("clock.last-moves", SURE),
            ("clock.low-time", HARDLY),
            ("clock.early-increment", HARDLY),
            ("clock.flag", HARDLY),
            ("fast-games.flags", HARDLY),
        ],
    },
    Explanation {
        id: "other-clock",
        cause: "the other side's clock is read",
        advice: "White goes by wtime and winc, Black by btime and binc. Look at which colour the finding names, and at whether \
                 the side to move is known when 'go' is read.",
        predicts: &[
            ("clock.own-clock", ALWAYS),
            // All other clocks are equal for both sides.
            ("clock.low-time", HARDLY),
            ("clock.early-increment", HARDLY),
            ("clock.last-moves", HARDLY),
            ("clock.flag", SELDOM),
            ("fast-games.flags", SELDOM),
        ],
    },
    Explanation {
        id: "increment",
        cause: "the increment is not used",
        advice: "Read winc and binc of the side to move, and add most of the increment to the budget of the move.",
        predicts: &[("clock.increment", SURE), ("clock.flag", HARDLY), ("clock.share", HARDLY)],
    },
];
