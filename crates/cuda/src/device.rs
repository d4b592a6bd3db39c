//! The devices that a command line can name.

use std::fmt;
use std::str::FromStr;

/// A device: the CPU, or a GPU by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Device {
    Cpu,
    Cuda(usize),
}

impl Device {
    /// The first GPU if there is one with all libraries that training needs, or else the CPU.
    pub fn auto() -> Device {
        if crate::is_present() { Device::Cuda(0) } else { Device::Cpu }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Device::Cpu => f.write_str("cpu"),
            Device::Cuda(number) => write!(f, "cuda:{number}"),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownDevice(String);

impl fmt::Display for UnknownDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown device '{}': expected cpu, cuda or cuda:N", self.0)
    }
}

impl std::error::Error for UnknownDevice {}

impl FromStr for Device {
    type Err = UnknownDevice;

    fn from_str(text: &str) -> Result<Device, UnknownDevice> {
        match (text, text.strip_prefix("cuda:").map(str::parse)) {
            // `lane` is what the CPU emulation was called before.
            ("cpu" | "lane", _) => Ok(Device::Cpu),
            ("cuda", _) => Ok(Device::Cuda(0)),
            (_, Some(Ok(number))) => Ok(Device::Cuda(number)),
            _ => Err(UnknownDevice(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for device in [Device::Cpu, Device::Cuda(0), Device::Cuda(3)] {
            assert_eq!(device.to_string().parse(), Ok(device));
        }
        assert_eq!("cuda".parse(), Ok(Device::Cuda(0)));
        assert_eq!("lane".parse(), Ok(Device::Cpu));
        for text in ["", "gpu", "auto", "cuda:", "cuda:x", "CPU"] {
            assert!(text.parse::<Device>().unwrap_err().to_string().contains("expected"), "{text}");
        }
    }
}
