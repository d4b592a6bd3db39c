//! `vedette gpu verify`

use std::error::Error;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::thread;
use support::sync::{into_inner, lock};

use datagen::selfplay::{SelfPlayPlan, Shard};
use gpu::verify::{GameDifference, compare, games};
use gpu::{Device, DeviceContext, NetworkPlayer};
use record::packed::PackedGame;

use super::DeviceArguments;
use super::players::AnyNetworkArguments;
use crate::cli::format::grouped;
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::json::JsonArguments;
use crate::cli::progress::ProgressLine;
use crate::cli::values::parse_positive;
use crate::commands::selfplay::options::PlanArguments;

#[derive(clap::Args)]
pub struct Arguments {
    /// Compare this many games
    #[arg(long, value_name = "N", default_value = "1k", value_parser = parse_positive)]
    games: u64,
    #[command(flatten)]
    network: AnyNetworkArguments,
    #[command(flatten)]
    plan: PlanArguments,
    /// Use this many CPU threads [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    device: DeviceArguments,
    #[command(flatten)]
    json: JsonArguments,
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let interrupt = stop_on_signal()?;
    let json = arguments.json.open()?;
    let (player, name) = arguments.network.player()?;
    let plan = arguments.plan.plan(&name, 0);
    let mut context = arguments.device.open()?;
    let mut progress_line = ProgressLine::new();
    let wanted = arguments.games;
    let on_device = games(&mut context, &plan, &player, wanted, &interrupt, |done| {
        progress_line.update(|| format!("{done} of {wanted} games on {}", arguments.device.device));
    })?;
    let threads = arguments
        .threads
        .map_or_else(|| thread::available_parallelism().map_or(1, std::num::NonZero::get), usize::from);
    let progress_line = Mutex::new(progress_line);
    let on_cpu = emulate(&plan, &player, wanted, threads, &interrupt, &|done| {
        let text = || format!("{done} of {wanted} games with {threads} threads of the CPU");
        lock(&progress_line).update(text);
    })?;
    into_inner(progress_line).finish(None);
    unless_interrupted()?;
    // A missing game must not count as equal.
    if [&on_device, &on_cpu].map(|games| games.len() as u64) != [wanted; 2] {
        return Err(format!("{} games on the device, {} on the CPU", on_device.len(), on_cpu.len()).into());
    }
    let numbers = (0..wanted).map(|index| plan.shard.game_number(index));
    let difference =
        on_device.iter().zip(&on_cpu).zip(numbers).find_map(|((one, two), number)| compare(number, one, two));
    let positions: usize = on_device.iter().map(|game| game.moves.len()).sum();
    json.finish(|| {
        serde_json::json!({
            "schema": "vedette-gpu-verify/1", "device": context.name(), "games": wanted, "positions": positions,
            "identical": difference.is_none(),
            "difference": difference.as_ref().map(|GameDifference { number, ply, position, found }| {
                serde_json::json!({"game": number, "ply": ply, "fen": position.to_fen(), "found": found})
            }),
        })
    })?;
    if let Some(difference) = difference {
        return Err(describe(&difference).into());
    }
    let others = match arguments.device.device {
        // This shows that games do not depend on how they are distributed, and no more.
        Device::Cpu => format!("with 1 and with {threads} threads; no GPU was used"),
        Device::Cuda(_) => "and on the CPU".to_owned(),
    };
    let text = format!(
        "{} games with {} positions are identical on {} {others}",
        grouped(wanted),
        grouped(positions as u64),
        context.name()
    );
    Ok(writeln!(arguments.json.text(), "{text}")?)
}

fn describe(difference: &GameDifference) -> String {
    let GameDifference { number, ply, position, found: [device, cpu] } = difference;
    format!(
        "game {number} differs at ply {ply}, in {}: {device} on the device, {cpu} on the CPU",
        position.to_fen()
    )
}

/// A part of a shard as a shard of the whole run; `None` on overflow.
fn part(shard: Shard, number: u64, of: u64) -> Option<Shard> {
    let first = shard.of.checked_mul(number - 1)?.checked_add(shard.number)?;
    Some(Shard { number: first, of: shard.of.checked_mul(of)? })
}

/// The same games on several threads; `report` gets the number of finished games.
fn emulate(
    plan: &SelfPlayPlan,
    player: &NetworkPlayer,
    count: u64,
    threads: usize,
    interrupt: &AtomicBool,
    report: &(dyn Fn(u64) + Sync),
) -> Result<Vec<PackedGame>, Box<dyn Error>> {
    let of = threads.clamp(1, count.max(1) as usize) as u64;
    let done = Mutex::new(vec![0; of as usize]);
    let share = |number: u64| -> Result<Vec<PackedGame>, String> {
        let shard = part(plan.shard, number, of).ok_or("the plan has too many shards")?;
        let plan = SelfPlayPlan { shard, ..plan.clone() };
        let own = (count + of - number) / of;
        let mut context = DeviceContext::open(Device::Cpu).map_err(|error| error.to_string())?;
        let progress = |games| {
            let mut done = lock(&done);
            done[number as usize - 1] = games;
            report(done.iter().sum());
        };
        games(&mut context, &plan, player, own, interrupt, progress).map_err(|error| error.to_string())
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
    fn parts_of_a_shard_cover_it() {
        let shard = Shard { number: 2, of: 3 };
        let parts = [1, 2].map(|number| part(shard, number, 2).unwrap());
        let shared: Vec<u64> = (0..6).map(|index| parts[index % 2].game_number(index as u64 / 2)).collect();
        let whole: Vec<u64> = (0..6).map(|index| shard.game_number(index)).collect();
        assert_eq!(shared, whole);
        assert!(part(Shard { number: 1, of: u64::MAX }, 2, 2).is_none());
    }
}
