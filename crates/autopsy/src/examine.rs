//! Examines one lost game.

mod sentence;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use arena::game::game_command;
use chess::{Color, Game, Move, Outcome, Position};
use review::{GameReview, PositionAnalysis, Reviewer, SourceGame, chance, chance_of, longer};
use support::sync::lock;
use uci::Score;

use crate::case::{Case, Moment, lost_side};
use crate::cause::{LossCause, LossEvidence, OPENING_MOVES, classify};
use crate::deciding::{LEAST_LOSS, LOST_CHANCE, LossPattern, decide};
use crate::limit::{GameLimits, Limit, is_book, seconds_used};
use crate::plan::{AutopsyError, AutopsyEvent, AutopsyPlan, Saved, Shared};
use crate::probe::{EngineProbeError, Probe, ProbeReply, ProbedEngine, Question};

/// How much more the reference gets where the game may have been lost.
const CONFIRM_FACTOR: u32 = 4;

/// Moves that are looked at more closely, the largest loss first.
const MAX_CANDIDATES: usize = 3;

/// The factors of time that are tried.
const FACTORS: [u32; 4] = [2, 4, 8, 16];

/// The factors of time that are tried after the searches of the game, where only a fresh process finds a good move.
const REPLAY_FACTORS: [u32; 2] = [2, 4];

/// Good moves that the greatest factors have to find, without an exception. A weak engine finds one by chance.
const LASTING: usize = 2;

/// Games before the lost one that are replayed in the same process, where games do not depend on time. One otherwise:
/// they take as long as playing them.
const MOST_BEFORE: usize = 32;

/// Plies of the line that refutes the move of the game, after which the engine is asked.
const LINE_PLIES: usize = 8;

/// Own moves after which an engine has normally used most of its clock.
const LONG_GAME: usize = 20;

/// What one thread needs to examine games.
pub(crate) struct Examiner<'a> {
    plan: &'a AutopsyPlan,
    games: &'a [SourceGame],
    shared: &'a Shared<'a>,
    reviewer: Reviewer,
    /// With more time.
    judge: Reviewer,
}

/// The deciding move of a game, and what the reference says about other moves there.
struct Scene<'a> {
    source: &'a SourceGame,
    ply: usize,
    side: Color,
    game: Game,
    played: Move,
    better: Move,
    /// The line of the reference in UCI notation.
    line: Vec<String>,
    /// The line of the reference after the move of the game.
    refutation: Vec<String>,
    /// Winning chances after a move.
    chances: HashMap<Move, f64>,
    before: f64,
    after: f64,
}

impl Scene<'_> {
    fn loss(&self) -> f64 {
        self.before - self.after
    }

    /// Whether a move with these chances does not lose what the move of the game lost.
    fn is_good(&self, chance: f64) -> bool {
        self.before - chance < LEAST_LOSS.min(self.loss() / 2.0)
    }

    fn san(&self, mv: Move) -> String {
        self.game.position().san(mv).to_string()
    }
}

/// The answers about one game.
#[derive(Default)]
struct Answers {
    probes: Vec<Probe>,
    evidence: LossEvidence,
    repeated: Option<(u32, u32)>,
    repeated_after_games: Option<(u32, u32)>,
    /// The answer of the fresh process, and of the search that found the better move.
    fresh: Option<ProbeReply>,
    found: Option<ProbeReply>,
    /// The depth of the comparison, with the scores of the better and the chosen move.
    alone: Option<(u32, Score, Score)>,
    /// The limit that was scaled.
    scaled: Limit,
    /// The scores of the last search with more time: what it prefers.
    last: Option<ProbeReply>,
}

/// Why a game is not examined further.
enum Halt {
    Run(AutopsyError),
    /// The engine crashed, hung, or sent an illegal move.
    Fault(String),
}

impl From<EngineProbeError> for Halt {
    fn from(error: EngineProbeError) -> Halt {
        match error {
            EngineProbeError::Interrupted => Halt::Run(AutopsyError::Interrupted),
            EngineProbeError::Fault(text) => Halt::Fault(text),
        }
    }
}

impl<E: Into<AutopsyError>> From<E> for Halt {
    fn from(error: E) -> Halt {
        Halt::Run(error.into())
    }
}

impl<'a> Examiner<'a> {
    pub fn new(
        plan: &'a AutopsyPlan,
        games: &'a [SourceGame],
        shared: &'a Shared<'a>,
    ) -> Result<Examiner<'a>, AutopsyError> {
        let start = |limits| {
            Reviewer::new(&plan.reference, limits, plan.prober.chess960, Arc::clone(&plan.prober.stop))
        };
        let limits = plan.reference_limits;
        Ok(Examiner {
            plan,
            games,
            shared,
            reviewer: start(limits)?,
            judge: start(longer(&limits, CONFIRM_FACTOR))?,
        })
    }

    /// Examines a game, unless the journal has it, and reports it.
    pub fn game(&mut self, index: usize) -> Result<(), AutopsyError> {
        let source = &self.games[index];
        let key = source.moves.len() + 1;
        let saved = lock(&self.shared.journal).get(source.number, key).cloned();
        if let Some(Saved::Case(case)) = saved {
            self.shared.tell(AutopsyEvent::Finished { case: &case, remembered: true });
            return Ok(());
        }
        let case = self.examine(index)?;
        lock(&self.shared.journal).add(source.number, key, &Saved::Case(Box::new(case.clone())))?;
        self.shared.tell(AutopsyEvent::Finished { case: &case, remembered: false });
        Ok(())
    }

    fn examine(&mut self, index: usize) -> Result<Case, AutopsyError> {
        let source = &self.games[index];
        let side = lost_side(source, &self.plan.player).unwrap_or(source.start.turn());
        let limits = GameLimits::of(source, side, self.plan.limits.as_ref())
            .map_err(|reason| AutopsyError::Limits(source.number, reason))?;
        let opponent = if side == Color::White { "Black" } else { "White" };
        let mut case = Case {
            game: source.number,
            line: source.line,
            white: side == Color::White,
            opponent: source.pgn.tag(opponent).unwrap_or("?").to_owned(),
            cause: LossCause::Gradual,
            evidence: String::new(),
            moment: None,
            probes: Vec::new(),
            repeated: None,
            unused_seconds: limits.unused.map(|time| time.as_secs_f64()),
        };
        let review = self.review(source)?;
        if let Some(fault) = fault_in_play(source, &review, side) {
            (case.cause, case.evidence) = (LossCause::Fault, fault);
            return Ok(case);
        }
        let first = first_own_ply(source, side);
        match decide(&review, case.white, first) {
            LossPattern::Moves(moves) => {
                for ply in moves.into_iter().take(MAX_CANDIDATES) {
                    if let Some(scene) = self.confirm(source, ply, side)? {
                        self.ask(index, scene, &limits, &mut case)?;
                        return Ok(case);
                    }
                }
                "no loss of 10 % is confirmed by a longer search".clone_into(&mut case.evidence);
            }
            LossPattern::Opening => {
                case.cause = LossCause::Opening;
                "lost before the engine's first own move".clone_into(&mut case.evidence);
            }
            LossPattern::Gradual => {
                "no move cost 10 % of winning chances that were not made up for"
                    .clone_into(&mut case.evidence);
            }
        }
        if case.cause == LossCause::Gradual
            && let Some(left) = spared_time(source, side, &limits)
        {
            case.cause = LossCause::Clock;
            case.evidence =
                format!("no single move lost the game, and {:.2} s were left at its end", left.as_secs_f64());
        }
        Ok(case)
    }

    /// The reference's view of the whole game.
    fn review(&mut self, source: &SourceGame) -> Result<GameReview, AutopsyError> {
        let shared = self.shared;
        let known = |ply| match lock(&shared.journal).get(source.number, ply) {
            Some(Saved::Position(analysis)) => Some(analysis.clone()),
            _ => None,
        };
        let mut failure = None;
        let review = self.reviewer.review(source, known, |progress| {
            if !progress.remembered {
                let saved = Saved::Position(progress.analysis.clone());
                let kept = lock(&shared.journal).add(source.number, progress.ply, &saved);
                failure = failure.take().or(kept.err());
            }
            shared.tell(AutopsyEvent::Analysed { game: source, ply: progress.ply });
        })?;
        failure.map_or(Ok(review), |error| Err(error.into()))
    }

    /// Searches the position before a move again, and what follows it and the better move; `None` if the loss is not
    /// confirmed.
    fn confirm(
        &mut self,
        source: &'a SourceGame,
        ply: usize,
        side: Color,
    ) -> Result<Option<Scene<'a>>, AutopsyError> {
        let game = source.game_after(ply);
        let root = self.analyse(&game)?;
        let played = source.moves[ply];
        let better = root.line.first().and_then(|text| game.position().parse_uci(text).ok());
        let Some(better) = better.filter(|&better| better != played) else { return Ok(None) };
        let mut scene = Scene {
            source,
            ply,
            side,
            game,
            played,
            better,
            line: root.line,
            refutation: Vec::new(),
            chances: HashMap::new(),
            before: 0.0,
            after: 0.0,
        };
        scene.before = self.chance_after(&mut scene, better)?;
        scene.after = self.chance_after(&mut scene, played)?;
        Ok((scene.loss() >= LEAST_LOSS).then_some(scene))
    }

    /// The reference's analysis with more time; it depends on nothing before.
    fn analyse(&mut self, game: &Game) -> Result<PositionAnalysis, AutopsyError> {
        self.judge.new_game()?;
        Ok(self.judge.analyse(game, &game_command(game, self.plan.prober.chess960))?)
    }

    /// The loser's winning chances after a move, in percent.
    fn chance_after(&mut self, scene: &mut Scene, mv: Move) -> Result<f64, AutopsyError> {
        if let Some(&known) = scene.chances.get(&mv) {
            return Ok(known);
        }
        let mut game = scene.game.clone();
        game.play(mv);
        let own = match game.outcome() {
            Some(Outcome::Checkmate { winner }) if winner == scene.side => 100.0,
            Some(Outcome::Checkmate { .. }) => 0.0,
            Some(Outcome::Draw(_)) => 50.0,
            None => {
                let analysis = self.analyse(&game)?;
                if mv == scene.played {
                    scene.refutation = analysis.line;
                }
                analysis.score.map_or(50.0, |score| chance_of(scene.side, score))
            }
        };
        scene.chances.insert(mv, own);
        Ok(own)
    }

    /// Asks the engine again and completes the case.
    fn ask(
        &mut self,
        index: usize,
        mut scene: Scene<'a>,
        limits: &GameLimits,
        case: &mut Case,
    ) -> Result<(), AutopsyError> {
        let mut answers = Answers::default();
        let position = scene.game.position();
        answers.evidence.pieces = position.occupied().count();
        answers.evidence.opening = is_own_opening(scene.source, position.fullmove_number());
        let asked = self.ask_all(index, &mut scene, limits, &mut answers);
        case.moment = Some(moment_of(&scene, limits));
        match asked {
            Ok(()) => {
                case.cause = classify(&answers.evidence);
                case.evidence = sentence::sentence(case.cause, &scene, &answers, limits);
            }
            Err(Halt::Fault(text)) => {
                case.cause = LossCause::Fault;
                case.evidence = format!("when asked again: {text}");
            }
            Err(Halt::Run(error)) => return Err(error),
        }
        case.probes = answers.probes;
        case.repeated = answers.repeated;
        Ok(())
    }

    fn ask_all(
        &mut self,
        index: usize,
        scene: &mut Scene<'a>,
        limits: &GameLimits,
        answers: &mut Answers,
    ) -> Result<(), Halt> {
        let limit = limits.at(scene.ply);
        let fresh = self.fresh(scene, Question::Fresh, 1, &limit, None, answers)?;
        if limits.guessed
            && let Some(probe) = answers.probes.last_mut()
        {
            probe.note = Some("the PGN has no times of moves: every search got the full clock".to_owned());
        }
        if self.plan.replay {
            let (answer, found) = self.replay(scene, &[], 1, limits, answers)?;
            answers.evidence.replayed = Some(found);
            let before = self.games_before(index, limit.is_timeless());
            if (found || answer.mv != scene.played) && !before.is_empty() {
                let (_, found) = self.replay(scene, &before, 1, limits, answers)?;
                let is_whole = |repeated: Option<(u32, u32)>| repeated.is_some_and(|(same, all)| same == all);
                answers.evidence.after_previous_games = Some(found);
                answers.evidence.needs_previous_games =
                    !is_whole(answers.repeated) && is_whole(answers.repeated_after_games);
            }
        }
        answers.fresh = Some(fresh.clone());
        if answers.evidence.replayed != Some(true) {
            self.with_more_time(scene, &fresh, limits, answers)?;
            if (answers.evidence.replayed, answers.evidence.found_with) == (Some(false), Some(1)) {
                self.replay_with_more_time(scene, &fresh, limits, answers)?;
            }
            self.compare_alone(scene, &fresh, answers)?;
            self.end_of_line(scene, limits, answers)?;
        }
        Ok(())
    }

    /// Asks a fresh process.
    fn fresh(
        &mut self,
        scene: &mut Scene<'a>,
        question: Question,
        factor: u32,
        limit: &Limit,
        only: Option<Move>,
        answers: &mut Answers,
    ) -> Result<ProbeReply, Halt> {
        self.shared.tell(AutopsyEvent::Asking { game: scene.source, question });
        let search = |process: &mut ProbedEngine| {
            process.new_game()?;
            process.search(&scene.game, limit, only)
        };
        let answer = self.plan.prober.start().and_then(|mut process| search(&mut process));
        self.keep(scene, (question, factor, limit), answer, answers)
    }

    /// Keeps an answer with the reference's opinion about it.
    fn keep(
        &mut self,
        scene: &mut Scene<'a>,
        (question, factor, limit): (Question, u32, &Limit),
        answer: Result<ProbeReply, EngineProbeError>,
        answers: &mut Answers,
    ) -> Result<ProbeReply, Halt> {
        let mut probe = Probe {
            question,
            factor,
            go: limit.go(scene.side),
            answer: None,
            score: None,
            depth: 0,
            nodes: 0,
            seconds: 0.0,
            chance: None,
            found: None,
            line: Vec::new(),
            note: None,
            fault: None,
        };
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => {
                if let EngineProbeError::Fault(text) = &error {
                    probe.fault = Some(text.clone());
                    answers.probes.push(probe);
                }
                return Err(error.into());
            }
        };
        let chance = self.chance_after(scene, answer.mv)?;
        probe.answer = Some(scene.san(answer.mv));
        probe.score = answer.info.score;
        probe.depth = answer.depth();
        probe.nodes = answer.nodes();
        probe.seconds = answer.elapsed.as_secs_f64();
        probe.chance = Some(chance);
        probe.found = Some(scene.is_good(chance));
        if answer.stopped {
            probe.note = Some("did not end in time: stopped".to_owned());
        }
        answers.probes.push(probe);
        Ok(answer)
    }

    /// The games of the player before this one in the file, oldest first: those that are replayed with it.
    fn games_before(&self, index: usize, is_timeless: bool) -> Vec<(&'a SourceGame, Color)> {
        let side = |game: &SourceGame| {
            let has = |tag: &str| game.pgn.tag(tag) == Some(self.plan.player.as_str());
            let black = || has("Black").then_some(Color::Black);
            if has("White") { Some(Color::White) } else { black() }
        };
        let most = if is_timeless { MOST_BEFORE } else { 1 };
        let own = self.games[..index].iter().rev().filter_map(|game| Some((game, side(game)?)));
        let mut games: Vec<_> = own.take(most).collect();
        games.reverse();
        games
    }

    /// Repeats the searches of the game in one process, the deciding one included, after those of other games; whether
    /// that finds a good move.
    fn replay(
        &mut self,
        scene: &mut Scene<'a>,
        before: &[(&SourceGame, Color)],
        factor: u32,
        limits: &GameLimits,
        answers: &mut Answers,
    ) -> Result<(ProbeReply, bool), Halt> {
        let question = if before.is_empty() { Question::Replayed } else { Question::AfterPreviousGames };
        self.shared.tell(AutopsyEvent::Asking { game: scene.source, question });
        let (source, ply, side) = (scene.source, scene.ply, scene.side);
        let given = self.plan.limits.as_ref();
        let limit = limits.at(ply).times(factor);
        let mut repeated = (0, 0);
        let mut search = || {
            let mut process = self.plan.prober.start()?;
            for &(game, color) in before {
                let Ok(limits) = GameLimits::of(game, color, given) else { continue };
                process.new_game()?;
                repeat(&mut process, game, color, &limits, game.moves.len())?;
            }
            process.new_game()?;
            repeated = repeat(&mut process, source, side, limits, ply)?;
            process.search(&source.game_after(ply), &limit, None)
        };
        let answer = search();
        let answer = self.keep(scene, (question, factor, &limit), answer, answers)?;
        let found = answers.probes.last().and_then(|probe| probe.found) == Some(true);
        if factor == 1 {
            let same = u32::from(answer.mv == scene.played);
            let count =
                if before.is_empty() { &mut answers.repeated } else { &mut answers.repeated_after_games };
            *count = Some((repeated.0 + same, repeated.1 + 1));
        }
        Ok((answer, found))
    }

    /// A search that a little more time mends after the searches of the game has not been spoilt by them.
    fn replay_with_more_time(
        &mut self,
        scene: &mut Scene<'a>,
        fresh: &ProbeReply,
        limits: &GameLimits,
        answers: &mut Answers,
    ) -> Result<(), Halt> {
        for factor in REPLAY_FACTORS {
            let (answer, found) = self.replay(scene, &[], factor, limits, answers)?;
            if found {
                answers.evidence.replayed_with = Some(factor);
                answers.evidence.had_time = had_time(scene, fresh, &answer, limits);
                answers.found = Some(answer);
                break;
            }
        }
        Ok(())
    }

    /// Compares the better move with the chosen one, each searched alone to the depth of the whole search.
    fn compare_alone(
        &mut self,
        scene: &mut Scene<'a>,
        fresh: &ProbeReply,
        answers: &mut Answers,
    ) -> Result<(), Halt> {
        let depth = fresh.score_at(u32::MAX).map_or(0, |(_, depth)| depth);
        if depth == 0 {
            return Ok(());
        }
        let better = self.alone(scene, Question::Better, scene.better, depth, answers)?;
        let chosen = self.alone(scene, Question::Chosen, fresh.mv, depth, answers)?;
        let Some((depth, better, mut other)) = at_common_depth(&better, &chosen, depth) else {
            return Ok(());
        };
        // The chosen move alone may score less than in the whole search, which is what it competed with.
        if let Some((whole, _)) = fresh.score_at(depth).filter(|found| found.1 == depth)
            && whole.centipawns() > other.centipawns()
        {
            other = whole;
        }
        answers.alone = Some((depth, better, other));
        answers.evidence.alone = Some(better.centipawns().saturating_sub(other.centipawns()));
        Ok(())
    }

    /// Asks what the engine thinks of the position that the reference's refutation leads to. If it knows that it is lost
    /// there, it has only not looked so far.
    fn end_of_line(
        &mut self,
        scene: &mut Scene<'a>,
        limits: &GameLimits,
        answers: &mut Answers,
    ) -> Result<(), Halt> {
        let mut game = scene.game.clone();
        game.play(scene.played);
        let mut line = vec![scene.san(scene.played)];
        for text in &scene.refutation {
            if game.outcome().is_some() || line.len() > LINE_PLIES && !game.position().in_check() {
                break;
            }
            let Ok(mv) = game.position().parse_uci(text) else { break };
            line.push(game.position().san(mv).to_string());
            game.play(mv);
        }
        if line.len() == 1 || game.outcome().is_some() {
            return Ok(());
        }
        let reference = self.analyse(&game)?.score.map_or(50.0, |score| chance_of(scene.side, score));
        let question = Question::EndOfLine;
        self.shared.tell(AutopsyEvent::Asking { game: scene.source, question });
        let factor = FACTORS[FACTORS.len() - 1];
        let limit = limits.at(scene.ply).times(factor);
        let mut process = self.plan.prober.start()?;
        process.new_game()?;
        let answer = process.search(&game, &limit, None)?;
        let turn = game.position().turn();
        let Some(score) = answer.info.score else { return Ok(()) };
        let own = if turn == scene.side { score } else { -score };
        answers.evidence.overrated = Some(chance(own) - reference);
        answers.probes.push(Probe {
            question,
            factor,
            go: limit.go(turn),
            answer: Some(game.position().san(answer.mv).to_string()),
            score: Some(score),
            depth: answer.depth(),
            nodes: answer.nodes(),
            seconds: answer.elapsed.as_secs_f64(),
            chance: Some(reference),
            found: None,
            line,
            note: None,
            fault: None,
        });
        Ok(())
    }

    /// The scores of a move by depth. An engine that ignores `searchmoves` searches the position after it.
    fn alone(
        &mut self,
        scene: &mut Scene<'a>,
        question: Question,
        mv: Move,
        depth: u32,
        answers: &mut Answers,
    ) -> Result<Vec<(u32, Score)>, Halt> {
        let limit = Limit { depth: Some(depth), ..Limit::default() };
        let answer = self.fresh(scene, question, 1, &limit, Some(mv), answers)?;
        if let Some(probe) = answers.probes.last_mut() {
            // The question is what the move scores, not whether it is found.
            probe.found = None;
            probe.go = format!("{} searchmoves {}", probe.go, mv.uci(self.plan.prober.chess960));
        }
        let scores = |answer: &ProbeReply, deeper: u32, sign: bool| {
            let at = |depth| answer.score_at(depth).filter(|found| found.1 == depth);
            let found = (1..=depth).filter_map(at);
            let signed = |score: Score| if sign { -score } else { score };
            found.map(|(score, depth)| (depth + deeper, signed(score))).collect::<Vec<_>>()
        };
        if answer.mv == mv {
            return Ok(scores(&answer, 0, false));
        }
        let mut game = scene.game.clone();
        game.play(mv);
        if let Some(outcome) = game.outcome() {
            let score = if outcome.winner().is_some() { Score::Mate(1) } else { Score::Centipawns(0) };
            return Ok((1..=depth).map(|depth| (depth, score)).collect());
        }
        let limit = Limit { depth: Some(depth.saturating_sub(1).max(1)), ..Limit::default() };
        let mut process = self.plan.prober.start()?;
        process.new_game()?;
        let child = process.search(&game, &limit, None)?;
        if let Some(probe) = answers.probes.last_mut() {
            probe.note = Some("ignores searchmoves: searched the position after the move".to_owned());
            probe.score = child.info.score.map(|score| -score);
            probe.depth = child.depth() + 1;
            (probe.answer, probe.chance) = (Some(scene.san(mv)), scene.chances.get(&mv).copied());
        }
        Ok(scores(&child, 1, true))
    }

    /// Looks for the least time from which on a good move is found.
    fn with_more_time(
        &mut self,
        scene: &mut Scene<'a>,
        fresh: &ProbeReply,
        limits: &GameLimits,
        answers: &mut Answers,
    ) -> Result<(), Halt> {
        let mut limit = limits.at(scene.ply);
        let mut note = None;
        if let Some(nodes) = limit.nodes.filter(|&nodes| fresh.nodes() > nodes.saturating_mul(2) + 20_000) {
            note = Some(format!("searched {} nodes instead of {nodes}: limited by time", fresh.nodes()));
            limit = Limit::of_time(fresh.elapsed.max(Duration::from_millis(1)));
        }
        answers.scaled = limit;
        let mut tried = vec![(1, answers.probes.iter().any(is_found_fresh), fresh.clone())];
        for factor in FACTORS {
            let answer =
                self.fresh(scene, Question::MoreTime, factor, &limit.times(factor), None, answers)?;
            let Some(probe) = answers.probes.last_mut() else { break };
            probe.note = probe.note.take().or_else(|| note.clone());
            tried.push((factor, probe.found == Some(true), answer));
        }
        let lasting = tried.iter().rev().take_while(|(_, found, _)| *found).count();
        if lasting >= LASTING {
            let (factor, _, answer) = tried.swap_remove(tried.len() - lasting);
            answers.evidence.found_with = Some(factor);
            answers.evidence.had_time = had_time(scene, fresh, &answer, limits);
            answers.found = Some(answer);
        } else {
            answers.last = tried.pop().map(|(_, _, answer)| answer);
        }
        Ok(())
    }
}

/// Whether the fresh process found a good move.
fn is_found_fresh(probe: &Probe) -> bool {
    probe.question == Question::Fresh && probe.found == Some(true)
}

/// The first ply of a side that is not from the book.
fn first_own_ply(source: &SourceGame, side: Color) -> usize {
    let book = source.pgn.moves.iter().take_while(|mv| is_book(mv)).count();
    let is_own = |ply: &usize| ply.is_multiple_of(2) == (source.start.turn() == side);
    (book..source.moves.len()).find(is_own).unwrap_or(source.moves.len())
}

/// Repeats the searches of a side before `ply`, and counts the moves of the game that were chosen again, and all.
fn repeat(
    process: &mut ProbedEngine,
    source: &SourceGame,
    side: Color,
    limits: &GameLimits,
    ply: usize,
) -> Result<(u32, u32), EngineProbeError> {
    let first = first_own_ply(source, side);
    let mut game = Game::new(source.start);
    let (mut same, mut all) = (0, 0);
    for (number, &mv) in source.moves.iter().enumerate().take(ply) {
        if number >= first && game.position().turn() == side && game.position().outcome().is_none() {
            let answer = process.search(&game, &limits.at(number), None)?;
            same += u32::from(answer.mv == mv);
            all += 1;
        }
        game.play(mv);
    }
    Ok((same, all))
}

/// Whether the engine plays the first moves of a game itself.
fn is_own_opening(source: &SourceGame, move_number: u32) -> bool {
    move_number <= OPENING_MOVES
        && source.start == Position::startpos()
        && !source.pgn.moves.iter().any(is_book)
}

/// A loss on time, by an illegal move or a crash, in a position that was not lost.
fn fault_in_play(source: &SourceGame, review: &GameReview, side: Color) -> Option<String> {
    const FAULTS: [&str; 7] =
        ["time", "illegal", "rules infraction", "abandon", "stall", "disconnect", "crash"];
    let termination = source.pgn.tag("Termination")?.to_ascii_lowercase();
    if !FAULTS.iter().any(|fault| termination.contains(fault)) || termination.contains("adjudication") {
        return None;
    }
    let white = review.moves.last().map_or(review.chance, |mv| mv.chance);
    let own = if side == Color::White { white } else { 100.0 - white };
    (own >= LOST_CHANCE).then(|| format!("{termination}, with winning chances of {own:.0} %"))
}

/// The deepest depth up to `most` at which both have a score, and the scores.
fn at_common_depth(
    better: &[(u32, Score)],
    chosen: &[(u32, Score)],
    most: u32,
) -> Option<(u32, Score, Score)> {
    let pairs = better.iter().filter_map(|&(depth, score)| {
        let other = chosen.iter().find(|other| other.0 == depth)?;
        (depth <= most).then_some((depth, score, other.1))
    });
    pairs.max_by_key(|pair| pair.0)
}

/// Whether the engine had the time that finds a good move.
fn had_time(scene: &Scene, fresh: &ProbeReply, found: &ProbeReply, limits: &GameLimits) -> bool {
    let (Some(clocks), Some(unused)) = (limits.at(scene.ply).clocks, limits.unused) else { return false };
    let used = used_time(scene).unwrap_or(fresh.elapsed);
    clocks[scene.side.index()].allows(used, found.elapsed, unused)
}

/// What was left at the end of a game that was long enough to use most of the time, if that is at least half of what it
/// began with.
fn spared_time(source: &SourceGame, side: Color, limits: &GameLimits) -> Option<Duration> {
    let first = first_own_ply(source, side);
    let moves = (source.moves.len().saturating_sub(first)).div_ceil(2);
    let at_first = (first < source.moves.len()).then(|| limits.at(first).clocks)??;
    let left = limits.unused?;
    (moves >= LONG_GAME && left >= at_first[side.index()].left / 2).then_some(left)
}

fn used_time(scene: &Scene) -> Option<Duration> {
    let seconds = seconds_used(scene.source.pgn.moves.get(scene.ply)?)?;
    Duration::try_from_secs_f64(seconds).ok()
}

fn moment_of(scene: &Scene, limits: &GameLimits) -> Moment {
    let position = scene.game.position();
    let chess960 = scene.source.is_chess960();
    let mut good: Vec<(Move, f64)> = scene
        .chances
        .iter()
        .map(|(&mv, &chance)| (mv, chance))
        .filter(|&(mv, chance)| mv == scene.better || scene.is_good(chance))
        .collect();
    good.sort_by(|one, other| {
        other.1.total_cmp(&one.1).then_with(|| scene.san(one.0).cmp(&scene.san(other.0)))
    });
    let mut after = *position;
    let mut line = Vec::new();
    for text in &scene.line {
        let Ok(mv) = after.parse_uci(text) else { break };
        line.push(after.san(mv).to_string());
        after = after.after(mv);
    }
    let clock = limits.at(scene.ply).clocks.map(|clocks| clocks[scene.side.index()].left);
    Moment {
        ply: scene.ply,
        number: position.fullmove_number(),
        fen: if chess960 { position.to_shredder_fen() } else { position.to_fen() },
        played: scene.san(scene.played),
        played_uci: scene.played.uci(chess960).to_string(),
        better: scene.san(scene.better),
        better_uci: scene.better.uci(chess960).to_string(),
        line,
        before: scene.before,
        after: scene.after,
        loss: scene.loss(),
        pieces: position.occupied().count(),
        good: good.into_iter().map(|(mv, _)| scene.san(mv)).collect(),
        clock_seconds: clock.map(|time| time.as_secs_f64()),
        used_seconds: seconds_used(&scene.source.pgn.moves[scene.ply]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deepest_common_depth_is_compared() {
        let score = Score::Centipawns;
        let better = [(1, score(5)), (2, score(10)), (3, score(90))];
        let chosen = [(1, score(1)), (2, score(20)), (4, score(9))];
        assert_eq!(at_common_depth(&better, &chosen, 9), Some((2, score(10), score(20))));
        assert_eq!(at_common_depth(&better, &chosen, 1), Some((1, score(5), score(1))));
        assert_eq!(at_common_depth(&better, &[], 9), None);
    }

    #[test]
    fn faults_in_play_count_where_the_game_was_not_lost() {
        let fault = |termination: &str, cp: i32| {
            let text = format!("[Termination \"{termination}\"]\n\n1. e4 e5 0-1\n");
            let (games, _) = review::read(&text);
            let analysis = PositionAnalysis { score: Some(Score::Centipawns(cp)), ..Default::default() };
            let review = GameReview::new(&games[0], &[analysis.clone(), analysis.clone(), analysis]);
            fault_in_play(&games[0], &review, Color::White)
        };
        assert_eq!(fault("time forfeit", 0).as_deref(), Some("time forfeit, with winning chances of 50 %"));
        assert!(fault("illegal move", 100).is_some() && fault("Time forfeit", -100).is_some());
        assert_eq!(fault("time forfeit", -500), None, "it was lost anyway");
        assert_eq!([fault("normal", 0), fault("adjudication", 0)], [None, None]);
    }

    #[test]
    fn half_of_the_clock_is_spared_only_in_a_long_game() {
        let spared = |moves: usize, seconds: &str| {
            let back_and_forth = ["Nf3", "Nf6", "Ng1", "Ng8"];
            let text: Vec<String> =
                (0..2 * moves).map(|ply| format!("{} {{{seconds}s}}", back_and_forth[ply % 4])).collect();
            let text = format!("[TimeControl \"10\"]\n\n{} 0-1\n", text.join(" "));
            let (games, _) = review::read(&text);
            let limits = GameLimits::of(&games[0], Color::White, None).expect("a clock");
            spared_time(&games[0], Color::White, &limits).map(|left| left.as_secs_f64())
        };
        assert_eq!(spared(20, "0.2"), Some(6.0));
        assert_eq!((spared(19, "0.2"), spared(20, "0.3")), (None, None));
    }

    #[test]
    fn own_moves_begin_after_the_book() {
        let (games, _) = review::read("1. e4 {book} e5 {book} 2. Nf3 {book} Nc6 {+0.1/5 0.1s} 3. Bb5 *");
        assert_eq!(first_own_ply(&games[0], Color::White), 4);
        assert_eq!(first_own_ply(&games[0], Color::Black), 3);
    }
}
