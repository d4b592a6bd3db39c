//! The tunable parameters of the search, each declared once: name, value, range.
//!
//! A search gets its parameters as a value, [`Params`]. In a normal build that value is empty and every
//! parameter is a constant. Under the `tune` feature it holds a number for each, so that two searches in one
//! process can use different ones (`vedette spsa`), and each parameter is a UCI option.

/// The declaration of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name in the source, in UCI options and in OpenBench's SPSA input.
    pub name: &'static str,
    /// Its value in a normal build.
    pub default: i32,
    /// The minimum.
    pub min: i32,
    /// The maximum.
    pub max: i32,
    #[cfg(feature = "tune")]
    id: Id,
}

impl Parameter {
    /// The parameter of this name.
    pub fn named(name: &str) -> Option<&'static Parameter> {
        ALL.iter().find(|parameter| parameter.name == name)
    }

    /// Its line in OpenBench's SPSA input: name, type, value, range, step sizes.
    pub fn spsa_line(&self) -> String {
        let step = (f64::from(self.max - self.min) / 20.0).max(0.5);
        format!("{}, int, {}, {}, {}, {step}, 0.002", self.name, self.default, self.min, self.max)
    }
}

/// A value for every parameter: constants in a normal build.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(not(feature = "tune"), derive(Default))]
pub struct Params {
    #[cfg(feature = "tune")]
    values: [i32; ALL.len()],
}

#[cfg(feature = "tune")]
impl Default for Params {
    fn default() -> Params {
        Params { values: std::array::from_fn(|index| ALL[index].default) }
    }
}

impl Params {
    /// The value of a parameter.
    pub fn get(&self, parameter: &Parameter) -> i32 {
        #[cfg(feature = "tune")]
        return self.values[parameter.id as usize];
        #[cfg(not(feature = "tune"))]
        parameter.default
    }

    /// Sets a parameter. Returns `false` and changes nothing if the value is out of range.
    #[cfg(feature = "tune")]
    #[must_use]
    pub fn set(&mut self, parameter: &Parameter, value: i32) -> bool {
        let fits = (parameter.min..=parameter.max).contains(&value);
        if fits {
            self.values[parameter.id as usize] = value;
        }
        fits
    }
}

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $value:literal, $min:literal ..= $max:literal;)*) => {
        impl Params {
            $(
                $(#[$doc])*
                #[inline(always)]
                pub const fn $name(&self) -> i32 {
                    #[cfg(feature = "tune")]
                    return self.values[Id::$name as usize];
                    #[cfg(not(feature = "tune"))]
                    $value
                }
            )*
        }

        /// The index of each parameter.
        #[cfg(feature = "tune")]
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        enum Id {
            $($name,)*
        }

        /// All parameters.
        pub const ALL: &[Parameter] = &[
            $(Parameter {
                name: stringify!($name),
                default: $value,
                min: $min,
                max: $max,
                #[cfg(feature = "tune")]
                id: Id::$name,
            },)*
        ];
    };
}

parameters! {
    /// Initial half-width of the aspiration window.
    aspiration_delta = 16, 5..=60;

    /// Reverse futility: margin for each ply of depth.
    reverse_futility_margin = 39, 30..=160;
    /// Reverse futility: less margin when improving.
    reverse_futility_improving = 66, 0..=160;
    /// Reverse futility: less margin when the opponent's evaluation has worsened.
    reverse_futility_worsening = 20, 0..=60;
    /// Reverse futility: more margin for each centipawn of correction, in 1024ths.
    reverse_futility_correction = 768, 0..=2048;

    /// Razoring: margin at depth zero.
    razoring_base = 289, 100..=600;
    /// Razoring: margin for each ply of depth.
    razoring_margin = 250, 80..=500;

    /// Null move: reduction in 1024ths of a ply at depth zero.
    null_move_base = 4320, 2048..=6144;
    /// Null move: more reduction for each ply of depth.
    null_move_depth = 269, 100..=600;
    /// Null move: centipawns above beta that reduce by one more ply.
    null_move_margin = 203, 80..=400;
    /// Null move: how far above beta the evaluation must be at depth zero.
    null_move_evaluation = 140, 0..=400;
    /// Null move: reduction of that margin for each ply of depth.
    null_move_evaluation_depth = 18, 0..=60;
    /// Null move: reduction of that margin when improving.
    null_move_improving = 50, 0..=150;

    /// ProbCut: margin above beta.
    probcut_margin = 201, 80..=400;
    /// ProbCut: reduction of the margin when improving.
    probcut_improving = 50, 0..=150;

    /// Late-move reduction of quiet moves: constant part, in 1024ths.
    reduction_quiet_base = 699, 0..=2048;
    /// Late-move reduction of quiet moves: factor of log(depth) * log(move number).
    reduction_quiet_factor = 378, 200..=900;
    /// Late-move reduction of captures: constant part.
    reduction_noisy_base = 231, -1024..=1024;
    /// Late-move reduction of captures: factor of log(depth) * log(move number).
    reduction_noisy_factor = 401, 100..=700;
    /// Reduce more at cut nodes.
    reduction_cut_node = 1984, 0..=3072;
    /// Reduce less at nodes that were PV nodes before (TT PV).
    reduction_table_pv = 1326, 0..=3072;
    /// Reduce less at PV nodes.
    reduction_pv = 815, 0..=2048;
    /// Reduce more when not improving: share of the part that grows with the logarithms, in 1024ths.
    reduction_not_improving = 412, 0..=1024;
    /// Reduce less for each centipawn of correction.
    reduction_correction = 16, 0..=64;
    /// Reduce less when the move gives check.
    reduction_check = 986, 0..=2048;
    /// Reduce more when the hash move is a capture.
    reduction_table_noisy = 529, 0..=2048;
    /// Reduce more when the next ply had many cutoffs.
    reduction_cutoffs = 340, 0..=2048;
    /// Reduce more at cut nodes without a hash move.
    reduction_no_table_move = 1000, 0..=3072;
    /// Reduce more when the table says that the node fails low.
    reduction_table_low = 500, 0..=2048;
    /// Reduce more at all-nodes when the next ply had cutoffs.
    reduction_all_node_cutoffs = 700, 0..=2048;
    /// Reduction above which the first move of a zero-window node is reduced by a ply.
    full_depth_first = 3957, 2048..=6144;
    /// Reduction above which it is reduced by a second ply.
    full_depth_second = 5654, 3072..=8192;
    /// What a missing hash move adds to that reduction.
    full_depth_no_table_move = 1199, 0..=3072;
    /// History that is worth one ply of reduction, for quiet moves.
    reduction_quiet_history = 13982, 3000..=20000;
    /// History that is worth one ply of reduction, for captures.
    reduction_noisy_history = 8901, 3000..=20000;
    /// A reduced search that beats the best score by this much is repeated deeper.
    deeper_margin = 45, 10..=150;
    /// A reduced search that beats the best score by less than this is repeated less deep.
    shallower_margin = 8, 0..=40;
    /// Hindsight: sum of both sides' evaluations above which a reduced node loses one ply.
    hindsight_margin = 170, 50..=400;

    /// Futility: margin at depth zero.
    futility_base = 75, 20..=300;
    /// Futility: margin for each ply of reduced depth.
    futility_margin = 80, 40..=220;
    /// Futility: history that is worth one centipawn.
    futility_history = 159, 20..=400;
    /// Futility: history of a capture that is worth one centipawn.
    futility_noisy_history = 64, 16..=400;
    /// Late-move pruning: quiet moves that are always tried.
    late_move_base = 5, 1..=10;
    /// SEE pruning: what a quiet move may lose for each squared ply of reduced depth.
    exchange_quiet_margin = 22, 5..=80;
    /// SEE pruning: what a capture may lose for each ply of depth.
    exchange_noisy_margin = 70, 30..=220;
    /// SEE pruning: history that lets a capture lose one centipawn more.
    exchange_noisy_history = 32, 8..=128;

    /// Singular extension: margin for each ply of depth, in 64ths.
    singular_margin = 20, 0..=100;
    /// Singular extension: margin below the singular beta for a double extension.
    double_extension_margin = 11, 0..=80;
    /// Singular extension: the same at PV nodes.
    double_extension_pv = 54, 0..=150;
    /// Singular extension: margin below the singular beta for a triple extension of a quiet move.
    triple_extension_margin = 90, 30..=250;
    /// Singular extension: these margins shrink for each centipawn of correction, in 1024ths.
    extension_correction = 600, 0..=2048;

    /// Quiescence: futility margin above the stand-pat score.
    quiescence_futility = 192, 50..=400;
    /// Quiescence: captures with a lower SEE are skipped.
    quiescence_exchange = 10, -150..=50;

    /// History bonus for each ply of depth.
    history_bonus_factor = 219, 50..=500;
    /// History bonus at depth zero, subtracted.
    history_bonus_offset = 110, 0..=500;
    /// Maximum history bonus.
    history_bonus_max = 1900, 800..=4000;
    /// History penalty for each ply of depth.
    history_malus_factor = 132, 50..=500;
    /// History penalty at depth zero, subtracted.
    history_malus_offset = 80, 0..=500;
    /// Maximum history penalty.
    history_malus_max = 1400, 500..=4000;
    /// Share of the bonus, in 1024ths, for a best move that was the hash move.
    history_confirmed = 1280, 512..=2048;
    /// Share of the penalty, in 1024ths, for the first quiet move that failed.
    history_malus_first = 1280, 512..=2048;
    /// Less of it for each later one.
    history_malus_later = 40, 0..=64;
    /// Share of the bonus, in 1024ths, for the opponent's last move after a fail-low.
    history_fail_low = 160, 0..=1024;
    /// More of it for each ply of depth.
    history_fail_low_depth = 56, 0..=128;
    /// More of it for a late move.
    history_fail_low_late = 192, 0..=512;
    /// More of it if the score is far below the evaluation of either side.
    history_fail_low_surprise = 160, 0..=512;
    /// Bonus of a quiet move for each centipawn that it improved the evaluation.
    history_evaluation = 60, 0..=150;
    /// The same in pawn history.
    history_evaluation_pawn = 40, 0..=150;
    /// Bonus of a capture that causes a cutoff in quiescence.
    history_quiescence = 110, 0..=500;
    /// Weight of the continuation history of the last move, in 1024ths.
    history_one_ply = 1024, 256..=2048;
    /// Weight of the continuation history of the move two plies before.
    history_two_plies = 1024, 256..=2048;
    /// Weight of the continuation history of the move four plies before.
    history_four_plies = 512, 0..=2048;

    /// Order: bonus of a knight or bishop that leaves a pawn's attack.
    order_minor_danger = 8000, 0..=20000;
    /// Order: bonus of a rook that leaves a lesser piece's attack.
    order_rook_danger = 12000, 0..=24000;
    /// Order: bonus of a queen that leaves a lesser piece's attack.
    order_queen_danger = 16000, 0..=32000;
    /// Order: bonus of a quiet move that gives check.
    order_check = 6000, 0..=16000;
    /// Order: weight of the captured piece's value relative to capture history, in 64ths.
    order_captured = 512, 128..=1024;

    /// Correction history: weight of the pawn structure.
    correction_pawn = 60, 0..=200;
    /// Correction history: weight of the minor pieces.
    correction_minor = 64, 0..=200;
    /// Correction history: weight of the pieces of each side.
    correction_non_pawn = 68, 0..=200;
    /// Correction history: weight of the last two moves.
    correction_continuation = 76, 0..=200;
    /// Correction history: weight of the last move and the one three plies before it.
    correction_far = 60, 0..=200;
    /// Correction history: the larger, the slower it learns.
    correction_slowness = 52, 16..=200;

    /// Evaluation: the larger, the less it is scaled by material.
    material_base = 24800, 8000..=60000;
    /// Evaluation: limit of the centipawns by which the score at the root shifts it.
    optimism = 15, 0..=60;
}
