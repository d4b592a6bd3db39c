//! Rules for all output: it is UCI, numbers are numbers, PVs are legal to their end and end where the game ends, mate PVs have
//! the announced length, and `bestmove` is the first move of the last PV.

use std::collections::VecDeque;

use chess::{Game, Position};

/// Follows input and output of a session.
#[derive(Default)]
pub struct Watcher {
    /// Output other than UCI is allowed.
    pub plain: bool,
    game: Option<Game>,
    multi_pv: usize,
    /// The positions of the searches that have not answered yet; `None` after invalid input.
    searches: VecDeque<Option<Game>>,
    last_iteration: Option<Iteration>,
    /// The first move of the last line with an exact score.
    last_exact_move: Option<String>,
}

/// The part of an `info` line that `bestmove` must agree with.
struct Iteration {
    exact: bool,
    pv: Vec<String>,
}

type RuleResult = Result<(), String>;

impl Watcher {
    /// Before the first command.
    pub fn new() -> Watcher {
        Watcher { game: Some(Game::new(Position::startpos())), multi_pv: 1, ..Watcher::default() }
    }

    /// Follows a line of input.
    pub fn sent(&mut self, line: &str) {
        let tokens: Vec<&str> = line.split_ascii_whitespace().collect();
        match tokens.as_slice() {
            ["position", rest @ ..] => self.game = set_up(rest),
            ["ucinewgame"] => self.game = Some(Game::new(Position::startpos())),
            ["flip"] => self.game = None,
            ["setoption", "name", "MultiPV", "value", value] => {
                self.multi_pv = value.parse().unwrap_or(self.multi_pv);
            }
            ["go", "perft", ..] => {}
            ["go", ..] => self.searches.push_back(self.game.clone()),
            _ => {}
        }
    }

    /// Checks a line of output.
    pub fn came(&mut self, line: &str) -> RuleResult {
        let tokens: Vec<&str> = line.split(' ').collect();
        match tokens.as_slice() {
            ["id" | "option", ..] | ["uciok" | "readyok"] | ["info", "string", ..] => Ok(()),
            ["info", rest @ ..] => self.check_info(rest),
            ["bestmove", best] => self.check_best_move(best, None),
            ["bestmove", best, "ponder", ponder] => self.check_best_move(best, Some(ponder)),
            _ if self.plain => Ok(()),
            _ => Err("not UCI".to_owned()),
        }
    }

    fn check_info(&mut self, tokens: &[&str]) -> RuleResult {
        let Some(search) = self.searches.front() else { return Err("info without a search".to_owned()) };
        let value_of = |keyword: &str| {
            let at = tokens.iter().position(|&token| token == keyword)?;
            Some(tokens.get(at + 1).copied().unwrap_or_default())
        };
        let number_of = |keyword: &str| -> Result<Option<u64>, String> {
            let value = value_of(keyword);
            value.map(|value| value.parse().map_err(|_| format!("{keyword} is not a number"))).transpose()
        };
        if value_of("currmove").is_some() {
            let slow = number_of("currmovenumber")?.is_some();
            return if slow { Ok(()) } else { Err("currmove without currmovenumber".to_owned()) };
        }
        for keyword in ["depth", "seldepth", "multipv", "nodes", "nps", "tbhits", "time", "hashfull"] {
            let Some(number) = number_of(keyword)? else { return Err(format!("{keyword} is missing")) };
            if keyword == "hashfull" && number > 1000 {
                return Err("hashfull is more than 1000".to_owned());
            }
        }
        if let Some(at) = tokens.iter().position(|&token| token == "wdl") {
            let parts = tokens[at + 1..].iter().take(3).map_while(|token| token.parse::<u32>().ok());
            if parts.sum::<u32>() != 1000 {
                return Err("wdl does not sum to 1000".to_owned());
            }
        }
        let exact = !tokens.contains(&"lowerbound") && !tokens.contains(&"upperbound");
        let pv: Vec<String> = match tokens.iter().position(|&token| token == "pv") {
            Some(at) => tokens[at + 1..].iter().map(|&token| token.to_owned()).collect(),
            None => Vec::new(),
        };
        if let Some(game) = search {
            let end = play(game, &pv)?;
            if exact && let Some(moves) = value_of("mate") {
                check_mate(moves, pv.len(), &end)?;
            }
        }
        if value_of("multipv") == Some("1") {
            if exact {
                self.last_exact_move = pv.first().cloned();
            }
            self.last_iteration = Some(Iteration { exact, pv });
        }
        Ok(())
    }

    fn check_best_move(&mut self, best: &str, ponder: Option<&str>) -> RuleResult {
        let Some(search) = self.searches.pop_front() else {
            return Err("bestmove without a search".to_owned());
        };
        let (iteration, last_exact_move) = (self.last_iteration.take(), self.last_exact_move.take());
        if let Some(game) = &search {
            let position = game.position();
            let without_moves = position.legal_moves().is_empty();
            if without_moves != (best == "(none)") {
                return Err("(none) is for positions without a legal move, and only for them".to_owned());
            }
            if !without_moves {
                let line: Vec<String> = [best].into_iter().chain(ponder).map(str::to_owned).collect();
                play(game, &line)?;
            }
        }
        let Some(iteration) = iteration else { return Err("bestmove without any info before it".to_owned()) };
        // Only a better move that was found just before the end has no exact score.
        if !iteration.exact && last_exact_move.as_deref() == Some(best) {
            return Err("the last score before bestmove is a bound".to_owned());
        }
        if self.multi_pv > 1 || best == "(none)" {
            return Ok(());
        }
        if iteration.pv.first().map(String::as_str) != Some(best) {
            return Err("bestmove is not the first move of the last PV".to_owned());
        }
        if ponder.is_some() && iteration.pv.get(1).map(String::as_str) != ponder {
            return Err("the ponder move is not the second move of the last PV".to_owned());
        }
        Ok(())
    }

    /// Whether a search is running.
    pub fn is_searching(&self) -> bool {
        !self.searches.is_empty()
    }
}

/// The game after a valid `position` command.
fn set_up(tokens: &[&str]) -> Option<Game> {
    let moves_at = tokens.iter().position(|&token| token == "moves");
    let (start, moves) = tokens.split_at(moves_at.unwrap_or(tokens.len()));
    let start = match start {
        ["startpos"] => Position::startpos(),
        ["fen", fen @ ..] => Position::from_fen(&fen.join(" ")).ok()?,
        _ => return None,
    };
    let mut game = Game::new(start);
    for text in moves.iter().skip(1) {
        let mv = game.position().parse_uci(text).ok()?;
        game.play(mv);
    }
    Some(game)
}

/// Plays a PV. It is legal, and ends where the game ends; a game that is over before it still gets one move.
fn play(start: &Game, moves: &[String]) -> Result<Position, String> {
    let mut game = start.clone();
    for (index, text) in moves.iter().enumerate() {
        if index > 0
            && let Some(outcome) = game.outcome()
        {
            return Err(format!("{text} comes after {outcome}"));
        }
        match game.position().parse_uci(text) {
            Ok(mv) => game.play(mv),
            Err(error) => return Err(format!("{text} in {}: {error}", game.position().to_fen())),
        }
    }
    Ok(*game.position())
}

/// A PV may be shorter than its mate, but never longer; one of full length ends in checkmate.
fn check_mate(moves: &str, length: usize, end: &Position) -> RuleResult {
    let moves: i64 = moves.parse().map_err(|_| "mate is not a number".to_owned())?;
    let plies = (if moves > 0 { 2 * moves - 1 } else { -2 * moves }) as usize;
    let mated = end.in_check() && end.legal_moves().is_empty();
    if length > plies || (length == plies) != mated {
        return Err(format!("mate {moves} takes {plies} plies, the PV has {length}"));
    }
    Ok(())
}
