//! Bytes, read from left to right.

/// What is wrong with a file.
pub(crate) type Fault = String;

/// A place in bytes. Nothing is read behind their end.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'b> {
    rest: &'b [u8],
}

impl<'b> Reader<'b> {
    pub(crate) fn new(rest: &'b [u8]) -> Self {
        Self { rest }
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'b [u8], Fault> {
        let Some((first, rest)) = self.rest.split_at_checked(count) else {
            return Err("it ends too early".to_owned());
        };
        self.rest = rest;
        Ok(first)
    }

    /// A number whose first byte counts most.
    fn number(&mut self, bytes: usize) -> Result<u64, Fault> {
        let bytes = self.bytes(bytes)?;
        Ok(bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Fault> {
        Ok(self.bytes(1)?[0])
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Fault> {
        let bytes = self.bytes(2)?;
        Ok(u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Fault> {
        let bytes = self.bytes(4)?;
        Ok(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    pub(crate) fn i64(&mut self) -> Result<i64, Fault> {
        Ok(self.number(8)?.cast_signed())
    }

    /// As many bytes as the number before them says.
    pub(crate) fn sized(&mut self) -> Result<Reader<'b>, Fault> {
        let size = self.u32()?;
        let size = usize::try_from(size).map_err(|_| "it is too large".to_owned())?;
        Ok(Reader::new(self.bytes(size)?))
    }
}
