//! Event files of TensorBoard: records of a length, a message of the protocol buffer `tensorflow.Event`, and their
//! masked CRC-32C.

use std::time::SystemTime;

use super::LossPoint;

/// The message that begins a file.
pub fn header() -> Vec<u8> {
    const VERSION: &[u8] = b"brain.Event:2";
    let mut event = event(0);
    bytes_field(&mut event, 3, VERSION);
    record(&event)
}

/// A point. Its step is the number of positions.
pub fn point(point: &LossPoint) -> Vec<u8> {
    let values = [
        ("loss/training", Some(point.training_loss)),
        ("loss/validation", point.validation_loss),
        ("learning_rate", Some(point.learning_rate)),
    ];
    let mut summary = Vec::new();
    for (tag, number) in values {
        let Some(number) = number else { continue };
        let mut value = Vec::new();
        bytes_field(&mut value, 1, tag.as_bytes());
        key(&mut value, 2, FIXED_32);
        value.extend_from_slice(&(number as f32).to_le_bytes());
        bytes_field(&mut summary, 1, &value);
    }
    let mut event = event(point.positions);
    bytes_field(&mut event, 5, &summary);
    record(&event)
}

/// Time and step.
fn event(step: u64) -> Vec<u8> {
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let mut event = Vec::new();
    key(&mut event, 1, FIXED_64);
    event.extend_from_slice(&time.as_secs_f64().to_le_bytes());
    key(&mut event, 2, VARINT);
    varint(&mut event, step);
    event
}

const VARINT: u64 = 0;
const FIXED_64: u64 = 1;
const BYTES: u64 = 2;
const FIXED_32: u64 = 5;

/// Begins a field of a message.
fn key(message: &mut Vec<u8>, number: u64, kind: u64) {
    varint(message, number << 3 | kind);
}

fn bytes_field(message: &mut Vec<u8>, number: u64, bytes: &[u8]) {
    key(message, number, BYTES);
    varint(message, bytes.len() as u64);
    message.extend_from_slice(bytes);
}

/// Seven bits per byte, the lowest first.
fn varint(message: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        message.push(value as u8 | 0x80);
        value >>= 7;
    }
    message.push(value as u8);
}

fn record(message: &[u8]) -> Vec<u8> {
    let length = (message.len() as u64).to_le_bytes();
    [&length[..], &masked_crc(&length).to_le_bytes(), message, &masked_crc(message).to_le_bytes()].concat()
}

fn masked_crc(bytes: &[u8]) -> u32 {
    crc32c(bytes).rotate_right(15).wrapping_add(0xA282_EAD8)
}

/// The Castagnoli polynomial, lowest bit first.
fn crc32c(bytes: &[u8]) -> u32 {
    let bit = |crc: u32| crc >> 1 ^ if crc & 1 == 1 { 0x82F6_3B78 } else { 0 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), |crc, _| bit(crc)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crc_is_that_of_the_standard() {
        // RFC 3720, B.4.
        assert_eq!(crc32c(&[0; 32]), 0x8A91_36AA);
        assert_eq!(crc32c(b"123456789"), 0xE306_9283);
    }

    #[test]
    fn records_have_the_layout_of_tensorboard() {
        let point = point(&LossPoint {
            positions: 300,
            training_loss: 0.5,
            validation_loss: None,
            learning_rate: 0.25,
        });
        let length = u64::from_le_bytes(point[..8].try_into().unwrap()) as usize;
        assert_eq!(point.len(), 8 + 4 + length + 4);
        let message = &point[12..12 + length];
        // The time, the step 300 as a varint, and a summary of two values.
        assert_eq!((message[0], &message[9..12], message[12]), (0x09, &[0x10, 0xAC, 0x02][..], 0x2A));
        let value = [&[0x0A, 13][..], b"loss/training", &[0x15], &0.5_f32.to_le_bytes()].concat();
        assert_eq!(message[14..16 + value.len()], [&[0x0A, value.len() as u8], &value[..]].concat());
        assert_eq!(point[8..12], masked_crc(&point[..8]).to_le_bytes());
        assert!(header().windows(13).any(|part| part == b"brain.Event:2"));
    }
}
