// The types of sample-home.mjs.
import type { WrittenJob } from './stand-in/write-job.mjs';

/**
 * Fills `folder` with `.claude` (the home) and `projects` (its sessions' directories), as of `now` (epoch ms).
 * Jobs 3f0a91c2 and 5b77d1e4 are to come back, 8c12e6a0 and a94d03f7 wait, the others stay parked.
 */
export function makeSampleHome(folder: string, now: number): { home: string; jobs: WrittenJob[] };
