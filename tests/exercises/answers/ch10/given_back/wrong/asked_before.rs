//? recognised: end in the same step
//? why: Asks whether the count is 1 before anything is counted down. With two texts that end together it is 2, both times.

pub struct Pool {
    free: Vec<usize>,
    holders: Vec<usize>, // how many texts have this block
}

impl Pool {
    pub fn new(blocks: usize) -> Pool {
        Pool { free: (0..blocks).rev().collect(), holders: vec![0; blocks] }
    }

    pub fn take(&mut self) -> Option<usize> {
        let block = self.free.pop()?;
        self.holders[block] = 1;
        Some(block)
    }

    pub fn share(&mut self, blocks: &[usize]) {
        for &block in blocks {
            self.holders[block] += 1;
        }
    }

    pub fn end(&mut self, texts: &[Vec<usize>]) {
        for &block in texts.iter().flatten() {
            if self.holders[block] == 1 {
                self.free.push(block);
            }
        }
        for &block in texts.iter().flatten() {
            self.holders[block] -= 1;
        }
    }

    pub fn free(&self) -> usize {
        self.free.len()
    }
}
