//! `vedette gpu verify`: plays games on the GPU and on the CPU and compares them to the last bit.

use std::error::Error;
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::thread;

use datagen::selfplay::{Plan, Shard};
use gpu::machine::MachineName;
use gpu::player::Player;
use gpu::venue::Venue;
use gpu::verify::{Difference, compare, games};
use record::packed::PackedGame;

use super::DeviceArguments;
use super::players::AnyNetworkArguments;
use crate::cli::format::grouped;
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::progress::ProgressLine;
use crate::cli::values::parse_positive;
use crate::commands::selfplay::options::PlanArguments;

/// How many games, and how they are played.
#[derive(clap::Args)]
pub struct Arguments {
    /// Games to compare: the first ones of the plan, or of its --shard
    #[arg(long, value_name = "N", default_value = "1k", value_parser = parse_positive)]
    games: u64,
    #[command(flatten)]
    network: AnyNetworkArguments,
    #[command(flatten)]
    plan: PlanArguments,
    /// Threads of the CPU that play [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    device: DeviceArguments,
}

/// Compares, and tells the first difference; that there is one is a failure.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let interrupt = stop_on_signal()?;
    let (player, name) = arguments.network.player()?;
    let plan = arguments.plan.plan(&name, 0);
    let mut venue = arguments.device.venue()?;
    let mut progress_line = ProgressLine::new();
    let wanted = arguments.games;
    let there = games(&mut venue, &plan, &player, wanted, &interrupt, |done| {
        progress_line.update(|| format!("{done} of {wanted} games on {}", venue_name(arguments)));
    })?;
    let threads = arguments
        .threads
        .map_or_else(|| thread::available_parallelism().map_or(1, std::num::NonZero::get), usize::from);
    let progress_line = Mutex::new(progress_line);
    let here = on_lanes(&plan, &player, wanted, threads, &interrupt, &|done| {
        let told = || format!("{done} of {wanted} games with {threads} lanes of the CPU");
        progress_line.lock().unwrap_or_else(PoisonError::into_inner).update(told);
    })?;
    progress_line.into_inner().unwrap_or_else(PoisonError::into_inner).finish(None);
    unless_interrupted()?;
    // A game that one of them did not hand over would otherwise pass for the same.
    if [&there, &here].map(|games| games.len() as u64) != [wanted; 2] {
        return Err(format!("the device played {} games, the CPU {}", there.len(), here.len()).into());
    }
    let numbers = (0..wanted).map(|index| plan.shard.game_number(index));
    let difference =
        there.iter().zip(&here).zip(numbers).find_map(|((one, two), number)| compare(number, one, two));
    if let Some(difference) = difference {
        return Err(tell(&difference).into());
    }
    let positions: usize = there.iter().map(|game| game.moves.len()).sum();
    let others = match arguments.device.device {
        // The lane compared with itself shows that games do not depend on who shares them out, and no more.
        MachineName::Lane => format!("alone and with {threads} threads; no GPU was asked"),
        MachineName::Cuda(_) => "and on the CPU".to_owned(),
    };
    let text = format!(
        "{} games with {} positions are the same on {} {others}",
        grouped(wanted),
        grouped(positions as u64),
        venue.machine().describe()
    );
    Ok(writeln!(io::stdout(), "{text}")?)
}

fn venue_name(arguments: &Arguments) -> String {
    arguments.device.device.to_string()
}

fn tell(difference: &Difference) -> String {
    let Difference { number, ply, position, found: [there, here] } = difference;
    format!(
        "game {number} differs after {ply} half moves, in {}: the device has {there}, the CPU {here}",
        position.to_fen()
    )
}

/// A part of a shard's games, as a shard of the whole run; `None` where numbers of games would not hold it.
fn part(shard: Shard, number: u64, of: u64) -> Option<Shard> {
    let first = shard.of.checked_mul(number - 1)?.checked_add(shard.number)?;
    Some(Shard { number: first, of: shard.of.checked_mul(of)? })
}

/// The same games with several lanes, each of which plays its share; `look` is told how many are done.
fn on_lanes(
    plan: &Plan,
    player: &Player,
    count: u64,
    threads: usize,
    interrupt: &AtomicBool,
    look: &(dyn Fn(u64) + Sync),
) -> Result<Vec<PackedGame>, Box<dyn Error>> {
    let of = threads.clamp(1, count.max(1) as usize) as u64;
    let done = Mutex::new(vec![0; of as usize]);
    let share = |number: u64| -> Result<Vec<PackedGame>, String> {
        let shard = part(plan.shard, number, of).ok_or("the plan has too many shards")?;
        let plan = Plan { shard, ..plan.clone() };
        let own = (count + of - number) / of;
        let machine = MachineName::Lane.open().map_err(|error| error.to_string())?;
        let mut venue = Venue::new(machine).map_err(|error| error.to_string())?;
        let told = |games| {
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done[number as usize - 1] = games;
            look(done.iter().sum());
        };
        games(&mut venue, &plan, player, own, interrupt, told).map_err(|error| error.to_string())
    };
    let shares = thread::scope(|scope| {
        let share = &share;
        let threads: Vec<_> = (1..=of).map(|number| scope.spawn(move || share(number))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| Err("a thread panicked".to_owned())))
            .collect::<Result<Vec<_>, String>>()
    })?;
    let nth = |number: u64| shares[(number % of) as usize].get((number / of) as usize).cloned();
    Ok((0..count).map_while(nth).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_shard_have_its_games_between_them() {
        let shard = Shard { number: 2, of: 3 };
        let parts = [1, 2].map(|number| part(shard, number, 2).unwrap());
        let shared: Vec<u64> = (0..6).map(|index| parts[index % 2].game_number(index as u64 / 2)).collect();
        let whole: Vec<u64> = (0..6).map(|index| shard.game_number(index)).collect();
        assert_eq!(shared, whole);
        assert!(part(Shard { number: 1, of: u64::MAX }, 2, 2).is_none());
    }
}
