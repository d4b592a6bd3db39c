//! Causes in time management.

use super::{ALWAYS, Cause, HARDLY, LIKELY, MAYBE, SELDOM, SURE};
use crate::catalogue::FindingId as F;
use crate::diagnosis::price::Price;

pub(super) const CAUSES: &[Cause] = &[
    Cause {
        id: "clock-unused",
        price: Price::measured(210, 470),
        cause: "too little time is used",
        advice: "Print the time allocated to the first move at 10+0.1: 200 to 800 ms is reasonable. Look for a wrong division or \
                 subtraction, and for iterations that are not started.",
        predicts: &[
            (F::ClockShare, SURE),
            (F::ClockFirstMoves, MAYBE),
            (F::ClockFlag, HARDLY),
            (F::ClockLowTime, HARDLY),
            (F::ClockLastMoves, HARDLY),
            (F::FastGamesFlags, HARDLY),
        ],
    },
    Cause {
        id: "clock-overrun",
        price: Price::by_rate(F::FastGamesFlags, 110, 760),
        cause: "the engine loses on time",
        advice: "Keep the hard limit well below the remaining time, and check it inside the search, not between iterations.",
        predicts: &[
            (F::ClockFlag, LIKELY),
            (F::ClockLowTime, LIKELY),
            (F::ClockEarlyIncrement, LIKELY),
            (F::ClockLastMoves, LIKELY),
            (F::ClockOwnClock, SELDOM),
            (F::FastGamesFlags, LIKELY),
            (F::ComplianceAnswers, 0.2),
            (F::ClockFirstMoves, LIKELY),
            (F::LimitsMovetime, 0.1),
            (F::ClockIncrement, MAYBE),
        ],
    },
    Cause {
        id: "increment-early",
        price: Price::by_rate(F::FastGamesFlags, 20, 300),
        cause: "the increment is spent before it is added",
        advice: "The increment is added after the move. Limit the allocated time to wtime or btime less the move overhead, after the \
                 increment is included.",
        predicts: &[
            (F::ClockEarlyIncrement, SURE),
            (F::ClockLowTime, HARDLY),
            (F::ClockFlag, SELDOM),
            (F::FastGamesFlags, SELDOM),
        ],
    },
    Cause {
        id: "control-overrun",
        price: Price::estimated(20, 300),
        cause: "movestogo 1 or 2 allocates all of the remaining time, or more",
        advice: "With movestogo 1 use the remaining time less the move overhead, with movestogo 2 about half of it. Apply the limit \
                 after all factors.",
        predicts: &[
            (F::ClockLastMoves, SURE),
            (F::ClockLowTime, HARDLY),
            (F::ClockEarlyIncrement, HARDLY),
            (F::ClockFlag, HARDLY),
            (F::FastGamesFlags, HARDLY),
        ],
    },
    Cause {
        id: "other-clock",
        price: Price::estimated(50, 300),
        cause: "the opponent's clock is used",
        advice: "White uses wtime and winc, Black btime and binc. The finding names the colour. Check that the side to move is known \
                 when go is parsed.",
        predicts: &[
            (F::ClockOwnClock, ALWAYS),
            // Both clocks are equal there.
            (F::ClockLowTime, HARDLY),
            (F::ClockEarlyIncrement, HARDLY),
            (F::ClockLastMoves, HARDLY),
            (F::ClockFlag, SELDOM),
            (F::FastGamesFlags, SELDOM),
        ],
    },
    Cause {
        id: "increment",
        price: Price::measured(0, 70),
        cause: "winc and binc are ignored",
        advice: "Parse winc and binc, and add most of the increment to the allocated time.",
        predicts: &[(F::ClockIncrement, SURE), (F::ClockFlag, HARDLY), (F::ClockShare, HARDLY)],
    },
];
