// The one table of options: flag, variable, config key, default and help of each.
import { formatBytes, formatDuration } from '../core/duration.ts';
import { DEFAULT_POLICY } from '../core/policy.ts';

/** How a value is written: `duration` 90s, `size` 500MB, `count` 0 or more, `positive` 1 or more. */
export type ValueKind =
  | 'text'
  | 'duration'
  | 'size'
  | 'count'
  | 'positive'
  | 'instant'
  | 'live'
  | 'on'
  | 'hours'
  | 'switch';

export interface OptionSpec {
  readonly flag: string;
  readonly key: string;
  readonly variable: string | null;
  readonly kind: ValueKind;
  readonly placeholder: string;
  /** Shown in the help; null where there is none. */
  readonly shownDefault: string | null;
  readonly help: string;
  /** Not from the config file: it is needed to find it, or makes sense for one run only. */
  readonly isPerRun?: boolean;
}

const policy = DEFAULT_POLICY;

export const OPTIONS = [
  {
    flag: '--claude-home',
    key: 'claudeHome',
    variable: 'CLAUDE_HOME',
    kind: 'text',
    placeholder: 'DIR',
    shownDefault: '~/.claude',
    help: 'Claude home to watch (CLAUDE_CONFIG_DIR counts too)',
    isPerRun: true,
  },
  {
    flag: '--claude-bin',
    key: 'claudeBin',
    variable: 'CLAUDE_BIN',
    kind: 'text',
    placeholder: 'PATH',
    shownDefault: 'claude',
    help: 'the client: PATH, ~/.local/bin, /usr/local/bin, /opt/homebrew/bin',
  },
  {
    flag: '--dry-run',
    key: 'dryRun',
    variable: null,
    kind: 'switch',
    placeholder: '',
    shownDefault: null,
    help: 'decide and show, launch and write nothing',
    isPerRun: true,
  },
  {
    flag: '--now',
    key: 'now',
    variable: null,
    kind: 'instant',
    placeholder: 'INSTANT',
    shownDefault: null,
    help: 'decide as of this instant (ISO 8601; with --dry-run only)',
    isPerRun: true,
  },
  {
    flag: '--prompt',
    key: 'prompt',
    variable: 'WATCHDOG_PROMPT',
    kind: 'text',
    placeholder: 'TEXT',
    shownDefault: 'see below',
    help: 'what a continued session is told',
  },
  {
    flag: '--margin',
    key: 'margin',
    variable: 'WATCHDOG_MARGIN',
    kind: 'duration',
    placeholder: 'D',
    shownDefault: formatDuration(policy.marginMs),
    help: 'added to every stated reset',
  },
  {
    flag: '--live',
    key: 'live',
    variable: 'WATCHDOG_LIVE',
    kind: 'live',
    placeholder: 'restart|wait',
    shownDefault: policy.live,
    help: 'a stopped session whose process still lives: restart it, or leave it',
  },
  {
    flag: '--live-grace',
    key: 'liveGrace',
    variable: 'WATCHDOG_LIVE_GRACE',
    kind: 'duration',
    placeholder: 'D',
    shownDefault: formatDuration(policy.liveGraceMs),
    help: 'how long after its reset a living one may go on by itself',
  },
  {
    flag: '--on',
    key: 'on',
    variable: 'WATCHDOG_ON',
    kind: 'on',
    placeholder: 'KIND=resume|hold,…',
    shownDefault: 'all resume',
    help: 'kinds of stop that are left: five_hour, weekly, model, untyped, transient',
  },
  {
    flag: '--only',
    key: 'only',
    variable: 'WATCHDOG_ONLY',
    kind: 'hours',
    placeholder: 'HH:MM-HH:MM [ZONE]',
    shownDefault: 'at any hour',
    help: 'continue sessions only at these hours',
  },
  {
    flag: '--max-age',
    key: 'maxAge',
    variable: 'WATCHDOG_MAX_AGE',
    kind: 'duration',
    placeholder: 'D',
    shownDefault: formatDuration(policy.maxAgeMs),
    help: 'leave what could have gone on longer ago than this',
  },
  {
    flag: '--max-attempts',
    key: 'maxAttempts',
    variable: 'WATCHDOG_MAX_ATTEMPTS',
    kind: 'positive',
    placeholder: 'N',
    shownDefault: String(policy.maxAttempts),
    help: 'launches for one stop of one conversation',
  },
  {
    flag: '--max-per-day',
    key: 'maxPerDay',
    variable: 'WATCHDOG_MAX_PER_DAY',
    kind: 'count',
    placeholder: 'N',
    shownDefault: String(policy.maxPerDay),
    help: 'launches in a rolling 24 h, all sessions together',
  },
  {
    flag: '--max-per-run',
    key: 'maxPerRun',
    variable: 'WATCHDOG_MAX_PER_RUN',
    kind: 'count',
    placeholder: 'N',
    shownDefault: '0 (all)',
    help: 'launches of one tick',
  },
  {
    flag: '--min-free-disk',
    key: 'minFreeDisk',
    variable: 'WATCHDOG_MIN_FREE_DISK',
    kind: 'size',
    placeholder: 'SIZE',
    shownDefault: formatBytes(policy.minFreeDiskBytes),
    help: 'launch nothing with less free disk',
  },
  {
    flag: '--stagger',
    key: 'stagger',
    variable: 'WATCHDOG_STAGGER',
    kind: 'duration',
    placeholder: 'D',
    shownDefault: formatDuration(policy.staggerMs),
    help: 'between two launches of one tick',
  },
  {
    flag: '--json',
    key: 'json',
    variable: null,
    kind: 'switch',
    placeholder: '',
    shownDefault: null,
    help: 'one JSON document instead of text',
    isPerRun: true,
  },
  {
    flag: '--quiet',
    key: 'quiet',
    variable: 'WATCHDOG_QUIET',
    kind: 'switch',
    placeholder: '',
    shownDefault: null,
    help: 'print nothing unless a session changed or something failed',
  },
] as const satisfies readonly OptionSpec[];

export type OptionKey = (typeof OPTIONS)[number]['key'];
