//? recognised: although none is handed out twice
//? why: Lets `take` pass over blocks that somebody has. Nobody gets a block twice any more, but the list is as wrong as before, and grows with each such end.

pub struct Pool {
    free: Vec<usize>,
    holders: Vec<usize>, // how many texts have this block
}

impl Pool {
    pub fn new(blocks: usize) -> Pool {
        Pool { free: (0..blocks).rev().collect(), holders: vec![0; blocks] }
    }

    pub fn take(&mut self) -> Option<usize> {
        while let Some(block) = self.free.pop() {
            if self.holders[block] == 0 {
                self.holders[block] = 1;
                return Some(block);
            }
        }
        None
    }

    pub fn share(&mut self, blocks: &[usize]) {
        for &block in blocks {
            self.holders[block] += 1;
        }
    }

    pub fn end(&mut self, texts: &[Vec<usize>]) {
        for &block in texts.iter().flatten() {
            self.holders[block] -= 1;
        }
        for &block in texts.iter().flatten() {
            if self.holders[block] == 0 {
                self.free.push(block);
            }
        }
    }

    pub fn free(&self) -> usize {
        self.free.len()
    }
}
