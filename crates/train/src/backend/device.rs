//! Which backend a training uses.

use std::fmt;
use std::str::FromStr;

use super::cpu::CpuBackend;
use super::{Backend, BackendError, Beginning, Sets};

/// Who is asked to do the arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Device {
    /// The best there is.
    Auto,
    /// The CPU.
    Cpu,
}

impl Device {
    /// The backend of this device.
    ///
    /// # Errors
    /// If there is no such device, or it cannot be used.
    pub fn open<'a>(
        self,
        beginning: &Beginning,
        examples: Sets<'a>,
    ) -> Result<Box<dyn Backend + 'a>, BackendError> {
        match self {
            Device::Auto | Device::Cpu => Ok(Box::new(CpuBackend::new(beginning, examples))),
        }
    }
}

/// No device has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownDevice(String);

impl fmt::Display for UnknownDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no device is called {:?}; auto or cpu is expected", self.0)
    }
}

impl std::error::Error for UnknownDevice {}

impl FromStr for Device {
    type Err = UnknownDevice;

    fn from_str(text: &str) -> Result<Self, UnknownDevice> {
        match text {
            "auto" => Ok(Device::Auto),
            "cpu" => Ok(Device::Cpu),
            _ => Err(UnknownDevice(text.to_owned())),
        }
    }
}
