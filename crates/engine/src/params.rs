//! The numbers of the search that are worth tuning, each declared once: name, value, range.
//!
//! In a normal build a parameter is a constant. Under the `tune` feature it is a variable, so that `vedette spsa` can
//! tune it, and an option of UCI, so that others can.

/// A parameter as tuners see it.
#[derive(Debug)]
pub struct Parameter {
    /// Its name, as in the source and in OpenBench's lines.
    pub name: &'static str,
    /// Its value in the source.
    pub default: i32,
    /// The least value that makes sense.
    pub min: i32,
    /// The greatest value that makes sense.
    pub max: i32,
    #[cfg(feature = "tune")]
    value: &'static std::sync::atomic::AtomicI32,
}

impl PartialEq for Parameter {
    /// There is one of each name.
    fn eq(&self, other: &Parameter) -> bool {
        self.name == other.name
    }
}

impl Eq for Parameter {}

impl Parameter {
    /// The value that the search uses.
    pub fn get(&self) -> i32 {
        #[cfg(feature = "tune")]
        return self.value.load(std::sync::atomic::Ordering::Relaxed);
        #[cfg(not(feature = "tune"))]
        self.default
    }

    /// Gives it another value; `false` if the value is out of range.
    #[cfg(feature = "tune")]
    pub fn set(&self, value: i32) -> bool {
        let fits = (self.min..=self.max).contains(&value);
        if fits {
            self.value.store(value, std::sync::atomic::Ordering::Relaxed);
        }
        fits
    }

    /// The line that describes it to OpenBench's SPSA: name, type, value, range, step sizes.
    pub fn spsa_line(&self) -> String {
        let step = (f64::from(self.max - self.min) / 20.0).max(0.5);
        format!("{}, int, {}, {}, {}, {step}, 0.002", self.name, self.get(), self.min, self.max)
    }
}

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $value:literal, $min:literal ..= $max:literal;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub const fn $name() -> i32 {
                $value
            }

            $(#[$doc])*
            #[cfg(feature = "tune")]
            #[inline(always)]
            pub fn $name() -> i32 {
                values::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals)]
        mod values {
            $(pub static $name: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new($value);)*
        }

        /// All parameters.
        pub static ALL: &[Parameter] = &[
            $(Parameter {
                name: stringify!($name),
                default: $value,
                min: $min,
                max: $max,
                #[cfg(feature = "tune")]
                value: &values::$name,
            },)*
        ];
    };
}

parameters! {
    /// First half-width of the window around the last score.
    aspiration_delta = 16, 5..=60;

    /// Reverse futility: margin for each half move of depth.
    reverse_futility_margin = 39, 30..=160;
    /// Reverse futility: the margin shrinks when the position is improving.
    reverse_futility_improving = 66, 0..=160;
    /// Reverse futility: the margin shrinks when the opponent stands worse than it believed.
    reverse_futility_worsening = 20, 0..=60;

    /// Razoring: margin at depth zero.
    razoring_base = 289, 100..=600;
    /// Razoring: margin for each half move of depth.
    razoring_margin = 250, 80..=500;

    /// Null move: reduction in 1024ths of a half move at depth zero.
    null_move_base = 4320, 2048..=6144;
    /// Null move: more reduction for each half move of depth.
    null_move_depth = 269, 100..=600;
    /// Null move: centipawns above beta that reduce by one more half move.
    null_move_margin = 203, 80..=400;
    /// Null move: how far above beta the evaluation must be at depth zero.
    null_move_evaluation = 140, 0..=400;
    /// Null move: for each half move of depth it may be so much lower.
    null_move_evaluation_depth = 18, 0..=60;
    /// Null move: when the position is improving it may be so much lower.
    null_move_improving = 50, 0..=150;

    /// ProbCut: how far above beta a capture must come.
    probcut_margin = 201, 80..=400;
    /// ProbCut: less than that when the position is improving.
    probcut_improving = 50, 0..=150;

    /// Late-move reduction of quiet moves: constant part, in 1024ths.
    reduction_quiet_base = 699, 0..=2048;
    /// Late-move reduction of quiet moves: factor of log(depth) * log(move number).
    reduction_quiet_factor = 378, 200..=900;
    /// Late-move reduction of captures: constant part.
    reduction_noisy_base = 231, -1024..=1024;
    /// Late-move reduction of captures: factor of log(depth) * log(move number).
    reduction_noisy_factor = 401, 100..=700;
    /// Reduce more at nodes that are expected to fail high.
    reduction_cut_node = 1984, 0..=3072;
    /// Reduce less where the table remembers a principal variation.
    reduction_table_pv = 1326, 0..=3072;
    /// Reduce less at nodes of the principal variation.
    reduction_pv = 815, 0..=2048;
    /// Reduce more when the position is not improving.
    reduction_not_improving = 947, 0..=2048;
    /// Reduce less when the move gives check.
    reduction_check = 986, 0..=2048;
    /// Reduce more when the table's move is a capture.
    reduction_table_noisy = 529, 0..=2048;
    /// Reduce more when the next ply had many cutoffs.
    reduction_cutoffs = 340, 0..=2048;
    /// History that is worth one half move of reduction, for quiet moves.
    reduction_quiet_history = 13982, 3000..=20000;
    /// History that is worth one half move of reduction, for captures.
    reduction_noisy_history = 8901, 3000..=20000;
    /// A reduced search that beats the best score by this much is repeated deeper.
    deeper_margin = 45, 10..=150;
    /// A reduced search that beats the best score by less than this is repeated less deep.
    shallower_margin = 8, 0..=40;
    /// What both sides together believe to be better by before a reduced node gets less depth.
    hindsight_margin = 170, 50..=400;

    /// Futility: margin at depth zero.
    futility_base = 75, 20..=300;
    /// Futility: margin for each half move of reduced depth.
    futility_margin = 80, 40..=220;
    /// Futility: history that is worth one centipawn.
    futility_history = 159, 20..=400;
    /// Late-move pruning: quiet moves that are always tried.
    late_move_base = 5, 1..=10;
    /// SEE pruning: what a quiet move may lose for each squared half move of reduced depth.
    exchange_quiet_margin = 22, 5..=80;
    /// SEE pruning: what a capture may lose for each half move of depth.
    exchange_noisy_margin = 70, 30..=220;
    /// SEE pruning: history that lets a capture lose one centipawn more.
    exchange_noisy_history = 32, 8..=128;
    /// History pruning: history below which a quiet move is skipped, for each half move of reduced depth.
    history_pruning_margin = 5033, 1000..=8000;

    /// Singular extension: margin for each half move of depth, in 64ths.
    singular_margin = 46, 16..=200;
    /// Singular extension: so far below the singular bound a move is extended twice.
    double_extension_margin = 11, 0..=80;
    /// Singular extension: so far below the singular bound a quiet move is extended three times.
    triple_extension_margin = 90, 30..=250;

    /// Quiescence: what a capture must be able to win above the stand-pat score to be tried.
    quiescence_futility = 192, 50..=400;
    /// Quiescence: captures whose exchange is worth less than this are not tried.
    quiescence_exchange = 10, -150..=50;

    /// History bonus for each half move of depth.
    history_bonus_factor = 219, 50..=500;
    /// History bonus at depth zero, subtracted.
    history_bonus_offset = 110, 0..=500;
    /// The greatest history bonus.
    history_bonus_max = 1900, 800..=4000;
    /// History penalty for each half move of depth.
    history_malus_factor = 132, 50..=500;
    /// History penalty at depth zero, subtracted.
    history_malus_offset = 80, 0..=500;
    /// The greatest history penalty.
    history_malus_max = 1400, 500..=4000;
    /// Share of the bonus, in 1024ths, that the opponent's last move gets where no move was good.
    history_fail_low = 512, 0..=1536;
    /// Weight of what came after the last move, in 1024ths.
    history_one_ply = 1024, 256..=2048;
    /// Weight of what came after the move two half moves before.
    history_two_plies = 1024, 256..=2048;
    /// Weight of what came after the move four half moves before.
    history_four_plies = 512, 0..=2048;

    /// Order: what a knight or bishop gains that leaves the attack of a pawn.
    order_minor_danger = 8000, 0..=20000;
    /// Order: what a rook gains that leaves the attack of a lesser piece.
    order_rook_danger = 12000, 0..=24000;
    /// Order: what a queen gains that leaves the attack of a lesser piece.
    order_queen_danger = 16000, 0..=32000;
    /// Order: what a quiet move gains that gives check.
    order_check = 6000, 0..=16000;
    /// Order: what a captured centipawn counts beside the history of captures, in 64ths.
    order_captured = 512, 128..=1024;

    /// Correction history: weight of the pawn structure.
    correction_pawn = 60, 0..=200;
    /// Correction history: weight of the minor pieces.
    correction_minor = 64, 0..=200;
    /// Correction history: weight of the pieces of each side.
    correction_non_pawn = 68, 0..=200;
    /// Correction history: weight of the last two moves.
    correction_continuation = 76, 0..=200;
}
