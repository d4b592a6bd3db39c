//! Every check, finding and measure, declared once. To add a finding: one line here, the code that makes it, a paragraph
//! in the page of its check, and the causes that predict it (`diagnosis::causes`).

use serde::{Deserialize, Deserializer};

use super::finding::FindingGroup;

/// How a finding's number is read as evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectKind {
    /// It counts failures, as a share (`%`) or out of the samples.
    Failures,
    /// It is what the better choice gains: zero is no evidence of health.
    Gain,
    Number,
}

/// What is known of a finding before any engine is tested.
#[derive(Clone, Copy, Debug)]
pub struct FindingSpec {
    /// The check's name, a dot, and what is tested.
    pub id: &'static str,
    /// Its id in reports of schema 1, where that was another.
    pub former_id: Option<&'static str>,
    pub check: CheckId,
    /// What is tested, in a few words.
    pub title: &'static str,
    /// Name and unit of its number.
    pub effect: (&'static str, &'static str),
    pub kind: EffectKind,
    /// Samples below which a pass rules nothing out.
    pub min_samples: u64,
    /// It can be tested only where the engine has the option `Hash`.
    pub needs_hash: bool,
    /// Only an engine with a hash table can fail it.
    pub shows_table: bool,
}

impl FindingSpec {
    const DEFAULT: Self = Self {
        id: "",
        former_id: None,
        check: CheckId::Handshake,
        title: "",
        effect: ("", ""),
        kind: EffectKind::Number,
        min_samples: 4,
        needs_hash: false,
        shows_table: false,
    };
}

macro_rules! catalogue {
    ($($check:ident $name:literal $group:ident $title:literal {
        $($finding:ident $what:literal $(was $former:literal)? $about:literal [$effect:literal $unit:literal]
            { $($field:ident: $value:expr),* })+
    })+) => {
        /// A check; its page in the documentation has the same name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum CheckId { $($check,)+ }

        impl CheckId {
            pub const ALL: &[Self] = &[$(Self::$check,)+];

            /// The argument of `--only`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$check => $name,)+ }
            }

            pub const fn group(self) -> FindingGroup {
                match self { $(Self::$check => FindingGroup::$group,)+ }
            }

            pub const fn title(self) -> &'static str {
                match self { $(Self::$check => $title,)+ }
            }

            /// The text of its page in the documentation.
            pub const fn page(self) -> &'static str {
                match self { $(Self::$check => include_str!(concat!("../../../docs/doctor/", $name, ".md")),)+ }
            }
        }

        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum FindingId { $($($finding,)+)+ }

        impl FindingId {
            pub const ALL: &[Self] = &[$($(Self::$finding,)+)+];

            pub const fn spec(self) -> &'static FindingSpec {
                match self {
                    $($(Self::$finding => const { &FindingSpec {
                        id: concat!($name, ".", $what),
                        $(former_id: Some(concat!($name, ".", $former)),)?
                        check: CheckId::$check,
                        title: $about,
                        effect: ($effect, $unit),
                        $($field: $value,)*
                        ..FindingSpec::DEFAULT
                    } },)+)+
                }
            }
        }
    };
}

const FAILURES: EffectKind = EffectKind::Failures;
const GAIN: EffectKind = EffectKind::Gain;

catalogue! {
    Handshake "handshake" Protocol "UCI handshake and options" {
        HandshakeStart "start" "uciok after uci" ["failed starts" ""] {}
        HandshakeReady "ready" "readyok after isready" ["failed starts" ""] {}
        HandshakeIdentity "identity" "id and option lines" ["problems" ""] {}
        HandshakeOptions "options" "requested options exist" ["rejected options" ""] {}
    }
    Compliance "compliance" Protocol "the 40 steps of fastchess --compliance" {
        ComplianceNames "names" "id name and id author" ["failed steps" ""] {}
        ComplianceAnswers "answers" "bestmove after every go" ["failed steps" ""] {}
        ComplianceLines "lines" "info line with depth and score" ["failed steps" ""] {}
    }
    Limits "limits" Protocol "depth, nodes, movetime, searchmoves, infinite" {
        LimitsDepth "depth" "go depth" ["searches that broke the limit" "%"] { kind: FAILURES }
        LimitsNodes "nodes" "go nodes" ["searches that broke the limit" "%"] { kind: FAILURES }
        LimitsMovetime "movetime" "go movetime" ["searches that broke the limit" "%"] { kind: FAILURES }
        LimitsSearchmoves "searchmoves" "go searchmoves" ["searches that broke the limit" "%"] { kind: FAILURES }
        LimitsInfinite "infinite" "go infinite" ["failures" ""] {}
        LimitsStop "stop" "best move after stop" ["searches that broke the limit" "%"] { kind: FAILURES }
        LimitsAborted "aborted" "an unfinished iteration does not replace a finished one" ["searches with another result" "%"] { kind: FAILURES, min_samples: 8 }
    }
    Nodes "nodes" Protocol "node counts" {
        NodesCounted "counted" "all nodes are counted" ["nodes per second of CPU time" "/s"] {}
        NodesPlausible "plausible" "node counts are possible" ["reported nodes per second" "/s"] {}
        NodesReset "reset" was "begins" "the counter is reset for each search" ["searches that keep counting" "%"] { kind: FAILURES }
    }
    SpecialMoves "special-moves" Legality "castling, en passant, promotion, no legal move" {
        SpecialMovesGenerated "generated" was "known" "special moves are generated" ["special moves not generated" ""] { kind: FAILURES }
        SpecialMovesIllegal "illegal" was "tempting" "illegal special moves are rejected" ["illegal special moves played" ""] { kind: FAILURES }
        SpecialMovesAnswers "answers" was "followed" "legal answers after special moves" ["illegal answers" ""] { kind: FAILURES }
        SpecialMovesLists "lists" "position ... moves is applied" ["answers to the position before the move list" ""] { kind: FAILURES }
        SpecialMovesBoard "board" "board after special moves" ["answers that contradict the board" ""] { kind: FAILURES }
        SpecialMovesNone "none" "checkmate or stalemate at the root" ["failures" ""] {}
    }
    Odds "odds" Evaluation "material odds: sign, order, point of view" {
        OddsSign "sign" "the side with more material is ahead" ["wrong signs" "%"] { kind: FAILURES }
        OddsView "view" "scores are from the side to move's point of view" ["scores from White's point of view" ""] {}
        OddsReversed "reversed" "scores are not negated" ["wrong signs at these depths" "%"] {}
        OddsOrder "order" "a minor piece is worth more than a pawn" ["inverted comparisons" "%"] { kind: FAILURES }
        OddsScale "scale" "scores are centipawns" ["value of a minor piece" "cp"] {}
        OddsValues "values" "relative piece values" ["wrong differences" ""] { min_samples: 40 }
        OddsConstant "constant" "scores depend on the position" ["scores independent of material" ""] {}
        OddsFirstDepth "first-depth" "meaningful scores from depth 1" ["first depth with meaningful scores" ""] {}
    }
    Orientation "orientation" Evaluation "piece-square tables: pawns, kings, knights" {
        OrientationWhite "white" "White's pawns and king" ["mean gain on the better squares" "cp"] { kind: GAIN, min_samples: 10 }
        OrientationBlack "black" "Black's pawns and king" ["mean gain on the better squares" "cp"] { kind: GAIN, min_samples: 10 }
        OrientationRim "rim" "knights in the centre" ["mean gain in the centre" "cp"] { kind: GAIN, min_samples: 8 }
        OrientationKing "king" "castled king in the middlegame" ["mean gain when castled" "cp"] {}
    }
    Mirror "mirror" Colour "colour symmetry" {
        MirrorEvaluation "evaluation" "evaluation symmetry (depth 1)" ["mean asymmetry" "cp"] { min_samples: 30 }
        MirrorSearch "search" "search symmetry (depth 8)" ["mean asymmetry" "cp"] { min_samples: 20 }
        MirrorNodes "nodes" "equal node counts" ["pairs with different node counts" "%"] {}
    }
    Balance "balance" Evaluation "balanced positions and score stability" {
        BalanceStart "start" "score of the starting position" ["score of the starting position" "cp"] {}
        BalanceRemoval "removal" "extra material raises the score" ["positions where extra material does not help" "%"] { kind: FAILURES }
        BalanceStability "stability" was "steadiness" "scores are stable between iterations" ["mean change between iterations" "cp"] {}
    }
    Leaves "leaves" Soundness "depth 1 and quiescence search" {
        LeavesDepthOne "depth-one" "obvious moves at depth 1" ["wrong moves" ""] { kind: FAILURES }
        LeavesCaptures "captures" "captures are resolved by quiescence search" ["wrong moves" ""] { kind: FAILURES, min_samples: 10 }
        LeavesExchanges "exchanges" "quiescence search follows exchanges to their end" ["wrong moves" ""] { kind: FAILURES, min_samples: 10 }
        LeavesOrder "order" "captures are sorted by the most valuable victim" ["nodes relative to sorted captures" "times"] {}
    }
    Mates "mates" Soundness "mate, stalemate, mate distance" {
        MatesFound "found" "short mates are found" ["short mates missed" ""] { kind: FAILURES }
        MatesNotation "notation" was "words" "mates are reported as score mate" ["mates reported as centipawns" "%"] {}
        MatesDistance "distance" "mate distances are possible" ["wrong mate distances" ""] { kind: FAILURES }
        MatesPly "ply" "mate scores depend on the ply" ["distinct mate distances" ""] {}
        MatesHorizon "horizon" "mate in one at depth 1" ["mates in one missed at depth 1" ""] { kind: FAILURES }
        MatesStalemate "stalemate" "stalemate is a draw" ["wrong scores near stalemate" ""] { kind: FAILURES }
        MatesTable "table" "mate distance shrinks as the mate is played" ["moves without progress" "%"] { kind: FAILURES, needs_hash: true }
    }
    Distances "distances" Soundness "mate distances of KRK and KQK, hash kept" {
        DistancesPossible "possible" "no mate shorter than the tablebase distance" ["impossible mate distances" ""] { kind: FAILURES, min_samples: 100 }
    }
    Draws "draws" Soundness "repetition, fifty-move rule, insufficient material" {
        DrawsRepetition "repetition" "perpetual check" ["wrong scores" ""] { kind: FAILURES, min_samples: 2 }
        DrawsGameHistory "game-history" "repetition of game positions" ["wrong scores" ""] { kind: FAILURES, min_samples: 2 }
        DrawsFifty "fifty" "fifty-move rule" ["wrong scores" ""] { kind: FAILURES }
        DrawsFenClock "fen-clock" "halfmove clock of the FEN" ["wrong scores" ""] { kind: FAILURES }
        DrawsMateFirst "mate-first" "checkmate on the hundredth ply" ["wrong scores" ""] {}
        DrawsHorizon "horizon" "draws at depth 1" ["wrong scores" ""] { kind: FAILURES }
        DrawsMaterial "material" "insufficient material" ["wrong scores" ""] { kind: FAILURES }
        DrawsTooEarly "too-early" "won endings are not drawn" ["wrong scores" ""] { kind: FAILURES }
        DrawsValue "value" "draw score" ["draw score" "cp"] {}
    }
    Zugzwang "zugzwang" Soundness "zugzwang and null move" {
        ZugzwangSolved "solved" "zugzwang positions" ["zugzwang positions missed" ""] { kind: FAILURES, min_samples: 8 }
    }
    Table "table" Soundness "transposition table" {
        TableCleared "cleared" was "forgets" "ucinewgame clears the hash" ["nodes after ucinewgame relative to a fresh engine" "%"] { needs_hash: true, shows_table: true }
        TableDrift "drift" "scores do not depend on the hash contents" ["mean score change" "cp"] { needs_hash: true }
        TableKey "key" "the hash key covers side to move, castling rights, en passant" ["mates lost" ""] { kind: FAILURES }
        TableRootMoves "root-moves" was "scouts" "full search against root moves searched alone" ["mean gap" "cp"] {}
    }
    Growth "growth" Efficiency "tree size and branching factor" {
        GrowthFactor "factor" "effective branching factor" ["effective branching factor" ""] {}
        GrowthSize "size" "tree not too large" ["nodes relative to the largest reference" "times"] {}
        GrowthSmall "small" was "hollow" "tree not too small" ["nodes relative to the smallest reference" "times"] { min_samples: 6 }
        GrowthExplosions "explosions" "no search explosions" ["largest tree relative to the median" "times"] {}
        GrowthBestMove "best-move" "best move stability" ["iterations with a new best move" "%"] {}
    }
    Stability "stability" Efficiency "depth during a game" {
        StabilityDepth "depth" "depth during a game" ["searches below half of the median depth" "%"] {}
    }
    RootWindow "root-window" Efficiency "zero-window searches at the root" {
        RootWindowShare "share" "nodes of a search relative to its root moves searched alone" ["relative nodes" "%"] { min_samples: 3 }
    }
    Tactics "tactics" Efficiency "tactics at fixed nodes and fixed depth" {
        TacticsNodes "nodes" "tactics at fixed nodes" ["tactics solved" "%"] {}
        TacticsDepth "depth" "tactics at fixed depth" ["tactics solved" "%"] { min_samples: 30 }
    }
    Statistics "statistics" Statistics "self-reported search statistics" {
        StatisticsReSearches "re-searches" "no re-search at non-PV nodes" ["re-searches at non-PV nodes" ""] {}
        StatisticsPvReSearchRate "pv-re-search-rate" was "rate-b" "PV re-search rate" ["PV re-search rate" "%"] { min_samples: 1000 }
        StatisticsOrdering "ordering" "first-move cutoff rate" ["first-move cutoffs" "%"] { min_samples: 1000 }
        StatisticsCutoffs "cutoffs" "score >= beta cuts off" ["missed cutoffs" ""] {}
        StatisticsFullWindows "full-windows" was "open-windows" "one full-window search per PV node" ["full windows per PV node" ""] {}
        StatisticsPvCuts "pv-cuts" "PV nodes are not pruned" ["PV nodes without a searched move" "%"] {}
        StatisticsHashBounds "hash-bounds" "hash cutoffs respect the bound" ["invalid hash cutoffs" ""] { shows_table: true }
        StatisticsHashDepths "hash-depths" "hash cutoffs respect the depth" ["invalid hash cutoffs" ""] { shows_table: true }
        StatisticsHashMates "hash-mates" "mate scores from the hash are adjusted by ply" ["invalid hash cutoffs" ""] { shows_table: true }
        StatisticsStoredExact "stored-exact" "exact scores are stored" ["bound types never stored" ""] { shows_table: true }
        StatisticsStoredBounds "stored-bounds" "lower and upper bounds are stored" ["bound types never stored" ""] { shows_table: true }
    }
    TinyHash "tiny-hash" Legality "minimum hash, no ucinewgame" {
        TinyHashMoves "moves" "hash moves are validated" ["illegal moves, crashes and hangs" ""] { kind: FAILURES, min_samples: 50, needs_hash: true }
        TinyHashScores "scores" "entries of other positions are not used" ["mean score change" "cp"] { needs_hash: true, shows_table: true }
    }
    Chess960 "chess960" Legality "Chess960 castling" {
        Chess960Moves "moves" "legal moves in Chess960" ["illegal answers" ""] {}
    }
    Clock "clock" Clock "time management" {
        ClockShare "share" "time used in a game" ["time used" "%"] {}
        ClockFirstMoves "first-moves" "time per move in the opening" ["share of the remaining time per move" "%"] {}
        ClockFlag "flag" "no time forfeit in a game" ["time forfeits" ""] {}
        ClockOverhead "overhead" "latency" ["time of go depth 1" "ms"] {}
        ClockLowTime "low-time" "30 to 200 ms left" ["late moves" "%"] { kind: FAILURES }
        ClockEarlyIncrement "early-increment" "30 to 200 ms left with increment" ["late moves" "%"] { kind: FAILURES }
        ClockLastMoves "last-moves" "last moves before the time control" ["late moves" "%"] {}
        ClockOwnClock "own-clock" "each side uses its own clock" ["time with the long clock relative to the short one" "times"] {}
        ClockIncrement "increment" "winc and binc are used" ["time with increment relative to none" "times"] {}
        ClockMovestogo "movestogo" "movestogo is used" ["time with movestogo 3 relative to 40" "times"] {}
    }
    FastGames "fast-games" Clock "time forfeits in bullet games" {
        FastGamesFlags "flags" "no time forfeits at 1+0.01 and faster" ["games lost on time" "%"] { kind: FAILURES }
    }
    Scaling "scaling" Efficiency "hash size and threads" {
        ScalingHash "hash" "depth with a larger hash" ["plies gained with 64 MB" "plies"] {}
        ScalingThreads "threads" "speed with two threads" ["nodes per second with two threads relative to one" "times"] {}
    }
    SelfPlay "self-play" Colour "White's score in self-play" {
        SelfPlayWhiteScore "white-score" was "white-share" "White's score in self-play" ["White's score" "%"] { min_samples: 30 }
    }
    Strength "strength" Strength "strength against Vedette" {
        StrengthRating "rating" "Elo against Vedette at 1,000 nodes" ["Elo against Vedette at 1,000 nodes" "Elo"] {}
    }
    Robustness "robustness" Protocol "invalid input and end of input" {
        RobustnessGarbage "garbage" "invalid input" ["inputs that crash or hang the engine" ""] {}
        RobustnessEofIdle "eof-idle" "end of input while idle" ["CPU usage after end of input" "%"] {}
        RobustnessEofSearching "eof-searching" "end of input while searching" ["CPU usage after end of input" "%"] {}
    }
    Info "info" Protocol "info and bestmove lines" {
        InfoForm "form" "info lines are well-formed" ["malformed lines" ""] {}
        InfoBestmove "bestmove" "bestmove is in UCI notation" ["malformed moves" ""] {}
        InfoOrder "order" "depth, nodes and time increase" ["searches with a decreasing value" ""] {}
        InfoScore "score" "every search reports a score" ["searches without a score" "%"] {}
        InfoBounds "bounds" "lowerbound and upperbound hold" ["violated bounds" "%"] {}
        InfoNewLines "new-lines" "new best moves have a PV" ["short PVs of new best moves" "%"] { kind: FAILURES, min_samples: 12 }
    }
    Legality "legality" Legality "legal moves, crashes and hangs in all searches" {
        LegalityAnswers "answers" "bestmove is legal" ["illegal best moves" ""] {}
        LegalityMissing "missing" "bestmove is present" ["searches without a best move" ""] {}
        LegalityLines "lines" "PV moves are legal" ["PVs with an illegal move" ""] {}
        LegalityAgreement "agreement" "bestmove is the first PV move" ["best moves that differ from the PV" "%"] {}
        LegalityStability "stability" "no crashes or hangs" ["crashes and hangs" ""] {}
    }
    MatingLines "mating-lines" Soundness "PVs of mate scores in all searches" {
        MatingLinesLength "length" "PV length matches the mate distance" ["PVs of the wrong length" "%"] { kind: FAILURES, min_samples: 50 }
        MatingLinesUnit "unit" "mate distances are in moves" ["distances in plies" "%"] {}
        MatingLinesMate "mate" "PVs end in checkmate" ["PVs that do not end in mate" "%"] { kind: FAILURES }
        MatingLinesComplete "complete" was "whole" "PVs are complete" ["truncated PVs" "%"] {}
    }
}

/// What a check that could not be run leaves instead of its findings: `CHECK.aborted`.
pub const ABORTED: &str = "aborted";

impl CheckId {
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|check| check.name() == name)
    }

    /// Where its page is in the repository.
    pub fn path(self) -> String {
        format!("docs/doctor/{}.md", self.name())
    }

    /// Whether it has no searches of its own and looks at those of all other checks.
    pub const fn is_passive(self) -> bool {
        matches!(self, Self::Info | Self::Legality | Self::MatingLines)
    }

    /// Whether it compares scores: an engine whose scores are constant passes, which rules nothing out.
    pub const fn compares_scores(self) -> bool {
        matches!(self, Self::Mirror | Self::Orientation | Self::Table)
    }

    pub fn findings(self) -> impl Iterator<Item = FindingId> {
        FindingId::ALL.iter().copied().filter(move |finding| finding.check() == self)
    }
}

impl FindingId {
    pub const fn name(self) -> &'static str {
        self.spec().id
    }

    pub const fn check(self) -> CheckId {
        self.spec().check
    }

    /// Reads an id, also a former one.
    pub fn parse(id: &str) -> Option<Self> {
        let has_id = |finding: &Self| finding.name() == id || finding.spec().former_id == Some(id);
        Self::ALL.iter().copied().find(has_id)
    }
}

/// Reads the id of a finding in a report. A former id becomes the current one; unknown ids, of other versions, are kept.
pub(crate) fn read_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let id = String::deserialize(deserializer)?;
    Ok(FindingId::parse(&id).map_or(id, |finding| finding.name().to_owned()))
}

/// The check of a finding's id.
pub fn check_of(id: &str) -> Option<CheckId> {
    CheckId::parse(id.split('.').next().unwrap_or_default())
}

/// Whether a check can leave a finding of this id.
pub fn is_finding(id: &str) -> bool {
    FindingId::parse(id).is_some()
        || check_of(id).is_some_and(|check| id == format!("{}.{ABORTED}", check.name()))
}

macro_rules! measures {
    ($($measure:ident $key:literal $unit:literal $(was $old:literal)?,)+) => {
        /// A further number of a finding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Measure { $($measure,)+ }

        impl Measure {
            pub const ALL: &[Self] = &[$(Self::$measure,)+];

            /// Its key in a JSON report.
            pub const fn key(self) -> &'static str {
                match self { $(Self::$measure => $key,)+ }
            }

            pub const fn unit(self) -> &'static str {
                match self { $(Self::$measure => $unit,)+ }
            }

            /// Reads a key, also as reports of schema 1 were first written.
            pub fn parse(key: &str) -> Option<Self> {
                match key { $($key $(| $old)? => Some(Self::$measure),)+ _ => None }
            }
        }
    };
}

measures! {
    // Read by comparisons and by the diagnosis.
    MarginOfError "margin-of-error" "" was "error of 95 %",
    Depth "depth" "plies" was "depth compared",
    ShareRight "share-right" "" was "share of better choices that score more",
    ClearlyUnequal "clearly-unequal" "" was "share of clearly unequal pairs",
    Hangs "hangs" "",
    HasHash "has-hash" "" was "offers Hash",
    // For readers of the JSON report.
    AfterFen "after-fen" "" was "after a FEN",
    AfterStartpos "after-startpos" "" was "after startpos",
    AsymmetryOther "asymmetry-other" "cp" was "mean asymmetry of other positions",
    AsymmetryOpenings "asymmetry-openings" "cp" was "mean asymmetry of openings",
    Doublings "doublings" "doublings of 1,000 nodes" was "doublings of 1,000 nodes",
    DoublingsBound "doublings-bound" "doublings of 1,000 nodes" was "bound of the doublings of 1,000 nodes",
    DoublingsError "doublings-error" "doublings of 1,000 nodes" was "error of the doublings",
    ExactShare "exact-share" "" was "share of exact distances",
    LargestAsymmetry "largest-asymmetry" "cp" was "largest asymmetry",
    MeanNodes "mean-nodes" "nodes" was "mean nodes",
    MirroredMoves "mirrored-moves" "" was "share of mirrored moves",
    Moves "moves" "",
    ChangeDefaultHash "change-default-hash" "cp",
    Nodes "nodes" "nodes",
    NodesOverMinimum "nodes-over-minimum" "times" was "nodes over the least possible",
    ReSearchRate "re-search-rate" "%" was "rate A",
    RepeatedGames "repeated-games" "" was "repeated games",
    ScoreScale "score-scale" "times" was "share of the scale of the bounds",
    SecondsToReady "seconds-to-readyok" "s" was "seconds to readyok",
    TimeInMoves1To10 "time-in-moves-1-10" "%" was "share of the time used in moves 1-10",
    TimeInMoves11To20 "time-in-moves-11-20" "%" was "share of the time used in moves 11-20",
    TimeInMoves21To30 "time-in-moves-21-30" "%" was "share of the time used in moves 21-30",
    TimeInMoves31To40 "time-in-moves-31-40" "%" was "share of the time used in moves 31-40",
    Undecided "undecided" "" was "moves of which it is not known",
    UnequalPairs "unequal-pairs" "" was "share of unequal pairs",
    WhiteBias "white-bias" "cp" was "preference for White",
}

#[cfg(test)]
mod tests {
    use super::super::diagnosis::causes;
    use super::*;

    #[test]
    fn ids_are_unique() {
        let unique = |mut names: Vec<&str>| {
            names.sort_unstable();
            names.windows(2).all(|pair| pair[0] != pair[1])
        };
        assert!(unique(FindingId::ALL.iter().map(|id| id.name()).collect()));
        assert!(unique(CheckId::ALL.iter().map(|id| id.name()).collect()));
        assert!(unique(Measure::ALL.iter().map(|id| id.key()).collect()));
        assert!(unique(causes().map(|cause| cause.id).collect()));
    }

    #[test]
    fn pages_have_all_sections() {
        for check in CheckId::ALL {
            let text = check.page();
            let sections = ["## To confirm", "## To fix"];
            assert!(
                text.starts_with("# ") && sections.iter().all(|title| text.contains(title)),
                "{}",
                check.name()
            );
        }
    }

    #[test]
    fn findings_are_in_their_page() {
        for id in FindingId::ALL {
            assert!(id.check().page().contains(&format!("`{}`", id.name())), "{}", id.name());
        }
    }

    #[test]
    fn pages_name_only_findings_that_exist() {
        for check in CheckId::ALL {
            for word in check.page().split('`').skip(1).step_by(2) {
                // `mates.*` stands for several.
                let looks_like_finding = check_of(word).is_some() && word.contains('.');
                assert!(
                    !looks_like_finding || is_finding(word) || word.ends_with(".*"),
                    "{}: {word}",
                    check.name()
                );
            }
        }
    }

    #[test]
    fn guide_lists_all_findings() {
        let guide = include_str!("../../../docs/doctor.md");
        for check in CheckId::ALL {
            assert!(guide.contains(&format!("(doctor/{}.md)", check.name())), "{}", check.name());
        }
    }

    #[test]
    fn former_ids_are_read() {
        assert_eq!(FindingId::parse("statistics.rate-b"), Some(FindingId::StatisticsPvReSearchRate));
        let all = FindingId::ALL.iter().map(|id| id.name());
        let former = FindingId::ALL.iter().filter_map(|id| id.spec().former_id);
        let mut ids: Vec<&str> = all.chain(former).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }

    #[test]
    fn old_keys_are_read() {
        assert_eq!(Measure::parse("error of 95 %"), Some(Measure::MarginOfError));
        assert_eq!(Measure::parse("hangs"), Some(Measure::Hangs));
        for measure in Measure::ALL {
            assert_eq!(Measure::parse(measure.key()), Some(*measure));
        }
    }
}
