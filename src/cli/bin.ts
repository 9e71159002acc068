// What `bin/secondwind.js` runs: loads the program and starts it.
import { loadPart } from './load.ts';

const { start } = loadPart('main') as { start: () => Promise<void> };
void start();
