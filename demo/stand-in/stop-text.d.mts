// The types of stop-text.mjs.
export function limitText(limit: {
  limitType: string;
  resetsAt: number | null;
  shownAt: number;
  isOldClient?: boolean;
}): string;
export function needsText(error: string | null, text: string): string | null;
