//! What shows the cause of a loss, in a sentence.

use super::{Answers, FACTORS, REPLAY_FACTORS, Scene};
use crate::cause::{LossCause, LossEvidence};
use crate::limit::GameLimits;
use crate::probe::{Probe, Question};

/// What shows the cause.
pub(super) fn sentence(cause: LossCause, scene: &Scene, answers: &Answers, limits: &GameLimits) -> String {
    let better = scene.san(scene.better);
    let fresh = answers.fresh.as_ref();
    let chosen = fresh.map_or_else(String::new, |answer| scene.san(answer.mv));
    let said = |question: Question| {
        let probe = answers.probes.iter().find(|probe| probe.question == question);
        probe.and_then(|probe| probe.answer.clone()).unwrap_or_default()
    };
    let LossEvidence { replayed_with, found_with, .. } = answers.evidence;
    let factor = replayed_with.or(found_with).unwrap_or(1);
    match cause {
        LossCause::State if answers.evidence.needs_previous_games => {
            let of = |repeated: Option<(u32, u32)>| repeated.map_or(0, |(same, _)| same);
            format!(
                "repeats {} of {} moves of the game, and all of them after the games before in the same process: \
                 something survives ucinewgame",
                of(answers.repeated),
                of(answers.repeated_after_games)
            )
        }
        LossCause::State if answers.evidence.after_previous_games == Some(false) => format!(
            "{} in a fresh process, {} after the games before in the same process: something survives ucinewgame",
            said(Question::Replayed),
            said(Question::AfterPreviousGames)
        ),
        LossCause::State => format!(
            "{chosen} in a fresh process, and a good move with {}; {} after the searches of the game, no good move \
             with {}",
            answers.scaled.more(FACTORS[FACTORS.len() - 1]),
            said(Question::Replayed),
            answers.scaled.more(REPLAY_FACTORS[REPLAY_FACTORS.len() - 1])
        ),
        LossCause::NotReproduced if answers.evidence.replayed.is_none() => {
            format!("{chosen} in a fresh process; the game was not replayed")
        }
        LossCause::NotReproduced => {
            format!("{} after the searches of the game, under its limits", said(Question::Replayed))
        }
        LossCause::Pruned => answers.alone.map_or_else(String::new, |(depth, score, other)| {
            format!("alone at depth {depth}, {better} scores {score}; the whole search chose {chosen} with {other}")
        }),
        LossCause::Clock | LossCause::Horizon if answers.found.is_some() => {
            let depths = fresh.zip(answers.found.as_ref()).map_or_else(String::new, |(fresh, found)| {
                format!(" (depth {} instead of {})", found.depth(), fresh.depth())
            });
            let found = answers.found.as_ref().map_or_else(String::new, |answer| scene.san(answer.mv));
            let text = format!("{found} with {}{depths}", answers.scaled.more(factor));
            match (cause, &answers.found, limits.unused) {
                (LossCause::Clock, Some(found), Some(unused)) => format!(
                    "{text}, {:.2} s; {:.2} s were left at the end of the game",
                    found.elapsed.as_secs_f64(),
                    unused.as_secs_f64()
                ),
                _ => text,
            }
        }
        LossCause::Clock | LossCause::Horizon | LossCause::Evaluation | LossCause::Endgame | LossCause::Opening => {
            let overrated = answers.evidence.overrated;
            let end = answers.probes.iter().find(|probe| probe.question == Question::EndOfLine);
            if let (Some(percent), Some(Probe { chance: Some(chance), line, .. })) = (overrated, end) {
                let (line, seen) = (line.join(" "), chance + percent);
                return format!("after {line}, it sees winning chances of {seen:.0} %, the reference {chance:.0} %");
            }
            let last = answers.last.as_ref();
            let prefers = last.map_or_else(String::new, |answer| format!(": {}", scene.san(answer.mv)));
            let more = answers.scaled.more(FACTORS[FACTORS.len() - 1]);
            let longest = answers.probes.iter().rfind(|probe| probe.question == Question::MoreTime);
            if longest.is_some_and(|probe| probe.found == Some(true)) {
                format!("a good move only with {more}{prefers}")
            } else {
                format!("a losing move even with {more}{prefers}")
            }
        }
        LossCause::Fault | LossCause::Gradual => String::new(),
    }
}
