//! One game between two players: clocks, the rules of chess, adjudication, and a record of each move.

mod audit;
mod fault;
mod limits;
mod syzygy;
mod tablebase;

use std::time::{Duration, SystemTime};

use chess::{Color, Game};
use record::book::Opening;
use uci::Info;

use crate::players::{MoveRequest, Player, PlayerError, ReplyMove};
use audit::ReplyAudit;
use record::adjudication::{Adjudication, AdjudicationRules, Adjudicator};
use record::game_end::{GameEnd, Termination, side_name};

pub use audit::PlayWarning;
pub use fault::EngineFault;
pub use limits::seconds;
pub use limits::{EngineLimits, GameClock, TimeControl, TimeControlError};
pub use syzygy::Syzygy;
pub use tablebase::Tablebase;

pub struct GameConfig<'a> {
    pub opening: &'a Opening,
    pub chess960: bool,
    pub rules: &'a AdjudicationRules,
    pub tablebase: Option<&'a dyn Tablebase>,
    /// Limits of White and Black.
    pub limits: [EngineLimits; 2],
    pub check_mate_lines: bool,
}

/// Time and last `info` of one move.
#[derive(Clone, Debug, Default)]
pub struct MoveRecord {
    pub elapsed: Duration,
    /// Time left after the move, if there is a clock.
    pub left: Option<Duration>,
    pub info: Option<Info>,
    /// Lines of the engine for the PGN comment.
    pub matched: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct PlayedGame {
    pub game: Game,
    /// When it began.
    pub started: SystemTime,
    /// Plies played from the book.
    pub book_plies: usize,
    /// One record for each move after the book.
    pub records: Vec<MoveRecord>,
    pub ending: GameEnd,
    /// Mistakes of the engines that did not end the game.
    pub warnings: Vec<PlayWarning>,
    /// The side whose fault ended the game.
    pub culprit: Option<Color>,
    /// The engine at fault must be restarted.
    pub broken: bool,
    /// Evidence for fault reports: the fault that ended the game, and the first warning of each side.
    pub faults: Vec<EngineFault>,
    /// The `position` command of the final position.
    pub position_command: String,
}

impl PlayedGame {
    /// Whether it was stopped before its end.
    pub fn is_interrupted(&self) -> bool {
        self.ending.termination == Termination::Interrupted
    }
}

/// A move that has just been played.
#[derive(Clone, Copy, Debug)]
pub struct PlayedMove<'a> {
    /// The game with this move.
    pub game: &'a Game,
    pub mover: Color,
    pub record: &'a MoveRecord,
}

/// Plays a game. `players` are White and Black.
pub fn play(players: [&mut dyn Player; 2], settings: &GameConfig) -> PlayedGame {
    play_before(players, settings, &mut |_| {})
}

/// As [`play`]; `watch` gets every move.
pub fn play_before(
    players: [&mut dyn Player; 2],
    settings: &GameConfig,
    watch: &mut dyn FnMut(PlayedMove),
) -> PlayedGame {
    let mut running = RunningGame::new(settings);
    let [white, black] = players;
    for (color, player) in [(Color::White, &mut *white), (Color::Black, &mut *black)] {
        if let Err(fault) = player.new_game() {
            running.fault(player, color, fault, settings);
            return running.played;
        }
    }
    loop {
        if let Some(ending) = running.ending_by_rules(settings) {
            running.played.ending = ending;
            return running.played;
        }
        let mover = running.played.game.position().turn();
        let player: &mut dyn Player = if mover == Color::White { white } else { black };
        if running.ask(player, mover, settings) {
            return running.played;
        }
        if let Some(record) = running.played.records.last() {
            watch(PlayedMove { game: &running.played.game, mover, record });
        }
    }
}

/// A game in progress.
struct RunningGame {
    played: PlayedGame,
    clocks: [GameClock; 2],
    adjudicator: Adjudicator,
    verdict: Option<Adjudication>,
}

impl RunningGame {
    fn new(settings: &GameConfig) -> Self {
        let opening = settings.opening;
        let mut game = Game::new(opening.start);
        let mut position_command = start_command(&opening.start, settings.chess960);
        for &mv in &opening.moves {
            append_move(&mut position_command, &mv.uci(settings.chess960).to_string());
            game.play(mv);
        }
        let played = PlayedGame {
            game,
            started: SystemTime::now(),
            book_plies: opening.moves.len(),
            records: Vec::new(),
            ending: GameEnd::interrupted(),
            warnings: Vec::new(),
            culprit: None,
            broken: false,
            faults: Vec::new(),
            position_command,
        };
        let adjudicator = Adjudicator::new(settings.rules.clone());
        Self { played, clocks: settings.limits.map(GameClock::new), adjudicator, verdict: None }
    }

    fn ending_by_rules(&self, settings: &GameConfig) -> Option<GameEnd> {
        if let Some(outcome) = self.played.game.outcome() {
            return Some(GameEnd::by_rules(outcome));
        }
        if !self.played.records.is_empty()
            && let Some(winner) =
                settings.tablebase.and_then(|table| table.probe(self.played.game.position()))
        {
            let text = "adjudication: SyzygyTB";
            return Some(match winner {
                Some(winner) => GameEnd::awarded(winner, Termination::Tablebase, text),
                None => GameEnd::drawn(Termination::Tablebase, "Draw by adjudication: SyzygyTB"),
            });
        }
        self.verdict.map(|verdict| match verdict {
            Adjudication::Draw => GameEnd::drawn(Termination::DrawAdjudication, "Draw by adjudication"),
            Adjudication::TooLong => {
                GameEnd::drawn(Termination::MaxMoves, "Draw by adjudication: maximum length")
            }
            Adjudication::Resigns(loser) => {
                GameEnd::awarded(!loser, Termination::ResignAdjudication, "adjudication")
            }
        })
    }

    /// Requests a move and plays it. True: the game is over by the mover's fault.
    fn ask(&mut self, player: &mut dyn Player, mover: Color, settings: &GameConfig) -> bool {
        let request = MoveRequest {
            game: &self.played.game,
            position: &self.played.position_command,
            clocks: &self.clocks,
        };
        let reply = match player.think(&request) {
            Ok(reply) => reply,
            Err(fault) => {
                self.fault(player, mover, fault, settings);
                return true;
            }
        };
        let audit =
            ReplyAudit { game: &self.played.game, mover, check_mate_lines: settings.check_mate_lines };
        let mut warnings = audit.warnings(&reply);
        let before = self.played.records.last().and_then(|record| record.info.as_ref()?.score);
        let now = reply.info.as_ref().and_then(|info| info.score);
        warnings.extend(audit.mate_scores(before, now));
        if let Some(warning) = warnings.first()
            && self.played.faults.iter().all(|known| known.side != mover)
        {
            let text = warning.about([side_name(mover), side_name(!mover)]);
            self.note_incident(player, mover, &text, false, settings);
        }
        self.played.warnings.extend(warnings);
        let clock = &mut self.clocks[mover.index()];
        if let Err(late) = clock.press(reply.elapsed) {
            // An engine that reports less time than was measured did not get the CPU: the concurrency is too high.
            let reported = reply.info.as_ref().and_then(|info| info.time);
            let reported =
                reported.map_or(String::new(), |time| format!("; engine reported {} ms", time.as_millis()));
            let used = reply.elapsed.as_millis();
            let did = format!("loses on time (by {} ms, after {used} ms{reported})", late.as_millis());
            self.lose(player, mover, Termination::Time, &did, settings);
            return true;
        }
        let (elapsed, left) = (reply.elapsed, clock.left());
        let record = MoveRecord { elapsed, left, info: reply.info, matched: reply.matched };
        let Some(mv) = reply.best.legal() else {
            let (did, written) = match reply.best {
                ReplyMove::Illegal(text) => (format!("makes an illegal move: {text}"), text),
                _ => ("makes an illegal move: (none)".to_owned(), String::new()),
            };
            let audit = ReplyAudit { game: &self.played.game, mover, check_mate_lines: false };
            self.played.warnings.extend(audit.illegal_move(&written));
            self.lose(player, mover, Termination::IllegalMove, &did, settings);
            return true;
        };
        let number = self.played.game.position().fullmove_number();
        let score = record.info.as_ref().and_then(|info| info.score).map(uci::Score::centipawns);
        self.played.records.push(record);
        append_move(&mut self.played.position_command, &mv.uci(settings.chess960).to_string());
        self.played.game.play(mv);
        let irreversible = self.played.game.position().halfmove_clock() == 0;
        self.verdict = self.adjudicator.after_move(mover, score, number, irreversible);
        false
    }

    /// Keeps what is needed to reproduce a fault, before the transcript moves on.
    fn note_incident(
        &mut self,
        player: &dyn Player,
        side: Color,
        text: &str,
        ended_the_game: bool,
        settings: &GameConfig,
    ) {
        let position = self.played.game.position();
        self.played.faults.push(EngineFault {
            side,
            text: text.to_owned(),
            ended_the_game,
            fen: if settings.chess960 { position.to_shredder_fen() } else { position.to_fen() },
            position_command: self.played.position_command.clone(),
            allowed: self.clocks[side.index()].deadline(),
            transcript: player.transcript(),
        });
    }

    fn lose(
        &mut self,
        player: &dyn Player,
        loser: Color,
        termination: Termination,
        did: &str,
        settings: &GameConfig,
    ) {
        let ending = GameEnd::lost(loser, termination, did);
        // Drop a warning about the same reply.
        let command = &self.played.position_command;
        self.played.faults.retain(|known| known.side != loser || known.position_command != *command);
        self.note_incident(player, loser, &ending.text, true, settings);
        self.played.culprit = Some(loser);
        self.played.ending = ending;
    }

    fn fault(&mut self, player: &dyn Player, culprit: Color, fault: PlayerError, settings: &GameConfig) {
        let (termination, did) = match fault {
            PlayerError::Interrupted | PlayerError::NoResources(_) => {
                self.played.ending = GameEnd::interrupted();
                return;
            }
            PlayerError::Start(reason) | PlayerError::Disconnected(reason) => {
                (Termination::Disconnect, format!("disconnects: {reason}"))
            }
            PlayerError::Stalled(reason) => {
                let text = "Engine {engine} is not responsive".to_owned();
                let fen = self.played.game.position().to_fen();
                self.played.warnings.push(PlayWarning { side: culprit, text, fen });
                (Termination::Stall, format!("stalls: {reason}"))
            }
        };
        self.played.broken = true;
        self.lose(player, culprit, termination, &did, settings);
    }
}

/// The `position` command of a starting position.
pub fn start_command(start: &chess::Position, chess960: bool) -> String {
    if *start == chess::Position::startpos() {
        return "position startpos".to_owned();
    }
    let fen = if chess960 { start.to_shredder_fen() } else { start.to_fen() };
    format!("position fen {fen}")
}

/// The `position` command of a game.
pub fn game_command(game: &Game, chess960: bool) -> String {
    let mut command = start_command(game.start(), chess960);
    for mv in game.moves() {
        append_move(&mut command, &mv.uci(chess960).to_string());
    }
    command
}

/// Adds a move to a `position` command.
pub fn append_move(command: &mut String, uci: &str) {
    if !command.contains(" moves ") {
        command.push_str(" moves");
    }
    command.push(' ');
    command.push_str(uci);
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;
    use record::pgn::GameResult;
    use uci::client::TranscriptLine;

    use crate::players::MoveReply;

    /// Plays moves from a list, each in the same time.
    struct Script(std::collections::VecDeque<&'static str>, Duration);

    impl Script {
        fn new(moves: &[&'static str], millis: u64) -> Self {
            Self(moves.iter().copied().collect(), Duration::from_millis(millis))
        }
    }

    impl Player for Script {
        fn new_game(&mut self) -> Result<(), PlayerError> {
            Ok(())
        }

        fn think(&mut self, request: &MoveRequest) -> Result<MoveReply, PlayerError> {
            let text = self.0.pop_front().ok_or(PlayerError::Interrupted)?;
            let best = ReplyMove::parse(request.game.position(), Some(text.to_owned()));
            Ok(MoveReply { best, elapsed: self.1, ..MoveReply::default() })
        }

        fn transcript(&self) -> Vec<TranscriptLine> {
            Vec::new()
        }
    }

    struct WhiteAlwaysWins;

    impl Tablebase for WhiteAlwaysWins {
        fn probe(&self, position: &Position) -> Option<Option<Color>> {
            (position.occupied().count() <= 3).then_some(Some(Color::White))
        }
    }

    fn play_script(start: Position, white: &mut Script, black: &mut Script, clock: &str) -> PlayedGame {
        let limits = EngineLimits { clock: clock.parse().ok(), ..EngineLimits::default() };
        let settings = GameConfig {
            opening: &Opening { start, moves: Vec::new() },
            chess960: false,
            rules: &AdjudicationRules::default(),
            tablebase: Some(&WhiteAlwaysWins),
            limits: [limits; 2],
            check_mate_lines: false,
        };
        play([white, black], &settings)
    }

    #[test]
    fn checkmate_ends_the_game() {
        let (mut white, mut black) = (Script::new(&["f2f3", "g2g4"], 1), Script::new(&["e7e5", "d8h4"], 1));
        let played = play_script(Position::startpos(), &mut white, &mut black, "1");
        assert_eq!(played.ending.result, GameResult::BlackWins);
        assert_eq!((played.ending.termination, played.culprit), (Termination::Checkmate, None));
        assert_eq!(played.position_command, "position startpos moves f2f3 e7e5 g2g4 d8h4");
        assert_eq!(played.records[3].left, Some(Duration::from_millis(998)));
    }

    #[test]
    fn each_side_has_its_own_clock() {
        let (mut white, mut black) = (Script::new(&["e2e4", "d2d4"], 1), Script::new(&["e7e5", "d7d5"], 600));
        let played = play_script(Position::startpos(), &mut white, &mut black, "1");
        assert_eq!((played.ending.termination, played.culprit), (Termination::Time, Some(Color::Black)));
        assert!(played.ending.text.contains("by 200 ms, after 600 ms"), "{}", played.ending.text);
        assert_eq!(played.game.moves().len(), 3);
    }

    #[test]
    fn fault_keeps_its_position() {
        let (mut white, mut black) = (Script::new(&["e2e4"], 1), Script::new(&["e7e4"], 1));
        let played = play_script(Position::startpos(), &mut white, &mut black, "1");
        let [fault] = &played.faults[..] else { panic!("{:?}", played.faults) };
        assert_eq!((fault.side, fault.ended_the_game), (Color::Black, true));
        assert_eq!(fault.text, "Black makes an illegal move: e7e4");
        assert_eq!(fault.position_command, "position startpos moves e2e4");
        assert!(fault.fen.starts_with("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"));
        assert!(fault.allowed.is_some());
    }

    #[test]
    fn tablebase_adjudication_after_first_move() {
        let start = Position::from_fen("8/8/8/8/8/k7/8/KQ6 w - - 0 1").expect("valid");
        let (mut white, mut black) = (Script::new(&["b1b8"], 1), Script::new(&[], 1));
        let played = play_script(start, &mut white, &mut black, "1");
        assert_eq!(
            (played.ending.result, played.ending.termination),
            (GameResult::WhiteWins, Termination::Tablebase)
        );
        assert_eq!(played.records.len(), 1);
    }

    #[test]
    fn interrupted_game_has_no_result() {
        let (mut white, mut black) = (Script::new(&["e2e4"], 1), Script::new(&[], 1));
        let played = play_script(Position::startpos(), &mut white, &mut black, "1");
        assert_eq!((played.ending.result, played.culprit), (GameResult::Unknown, None));
    }
}
