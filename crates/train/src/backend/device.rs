//! Which backend a training uses.

use std::fmt;
use std::str::FromStr;

use super::cpu::CpuBackend;
use super::cuda::CudaBackend;
use super::{Backend, BackendError, Beginning, Sets};

/// Who is asked to do the arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Device {
    /// The first GPU if there is one, or else the CPU.
    Auto,
    /// The CPU.
    Cpu,
    /// The GPU with this number.
    Cuda(usize),
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
            Device::Auto if ::cuda::is_present() => Device::Cuda(0).open(beginning, examples),
            Device::Auto | Device::Cpu => Ok(Box::new(CpuBackend::new(beginning, examples))),
            Device::Cuda(number) => Ok(Box::new(CudaBackend::new(number, beginning, examples)?)),
        }
    }
}

/// No device has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownDevice(String);

impl fmt::Display for UnknownDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no device is called {:?}; auto, cpu, cuda or cuda:1 is expected", self.0)
    }
}

impl std::error::Error for UnknownDevice {}

impl FromStr for Device {
    type Err = UnknownDevice;

    fn from_str(text: &str) -> Result<Self, UnknownDevice> {
        match (text, text.strip_prefix("cuda:").map(str::parse)) {
            ("auto", _) => Ok(Device::Auto),
            ("cpu", _) => Ok(Device::Cpu),
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
    fn devices_are_called_by_name() {
        assert_eq!("auto".parse(), Ok(Device::Auto));
        assert_eq!("cpu".parse(), Ok(Device::Cpu));
        assert_eq!("cuda".parse(), Ok(Device::Cuda(0)));
        assert_eq!("cuda:3".parse(), Ok(Device::Cuda(3)));
        for text in ["", "gpu", "cuda:", "cuda:x", "CPU"] {
            assert!(text.parse::<Device>().unwrap_err().to_string().contains("is expected"));
        }
    }
}
