//! Writes the seeds of a target into a folder, for libFuzzer: `seeds TARGET FOLDER`; without arguments lists the targets.

use hostile::TARGETS;

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(name), Some(folder)) = (arguments.next(), arguments.next()) else {
        for target in TARGETS {
            println!("{}", target.name);
        }
        return Ok(());
    };
    let Some(target) = TARGETS.iter().find(|target| target.name == name) else {
        return Err(std::io::Error::other(format!("no target '{name}'")));
    };
    std::fs::create_dir_all(&folder)?;
    for (number, seed) in (target.seeds)().iter().enumerate() {
        std::fs::write(format!("{folder}/seed-{number}"), seed)?;
    }
    Ok(())
}
