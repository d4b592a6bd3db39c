//! The loss curve as files that grow with it: CSV, and TensorBoard's events.

use std::io;
use std::path::Path;

use support::files::{self, AppendFile, File};

use super::{LossPoint, tensorboard};

const HEADER: &str = "positions,loss,validation_loss,learning_rate\n";

pub struct CurveLog {
    csv: AppendFile,
    events: Option<AppendFile>,
}

impl CurveLog {
    /// Begins the files anew, with the points of a resumed training.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn begin(csv: &Path, events: Option<&Path>, points: &[LossPoint]) -> io::Result<CurveLog> {
        let start = |path: &Path, header: &[u8], line: fn(&LossPoint) -> Vec<u8>| {
            let mut file = AppendFile::over(File::create(path)?)?;
            file.append(&[header.to_vec(), points.iter().flat_map(line).collect()].concat())?;
            Ok::<_, io::Error>(file)
        };
        let events = match events {
            None => None,
            Some(path) => {
                path.parent().map_or(Ok(()), files::create_dir_all)?;
                Some(start(path, &tensorboard::header(), tensorboard::point)?)
            }
        };
        Ok(CurveLog { csv: start(csv, HEADER.as_bytes(), line)?, events })
    }

    /// # Errors
    /// If a file cannot be written.
    pub fn add(&mut self, point: &LossPoint) -> io::Result<()> {
        self.csv.append(&line(point))?;
        self.events.as_mut().map_or(Ok(()), |file| file.append(&tensorboard::point(point)))
    }
}

fn line(point: &LossPoint) -> Vec<u8> {
    let LossPoint { positions, training_loss, validation_loss, learning_rate } = point;
    let validation = validation_loss.map(|loss| loss.to_string()).unwrap_or_default();
    format!("{positions},{training_loss},{validation},{learning_rate}\n").into_bytes()
}
