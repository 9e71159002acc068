// Rule 9: what its owner wants of this kind of stop, and at what hours.
import type { Situation, Verdict } from './decide.ts';
import { opensAt } from './hours.ts';
import type { StopKind } from './policy.ts';
import type { Stop } from './stop.ts';
import { skip, unreadable, wait } from './verdict.ts';
import { parseZone } from './zone.ts';

/** What a stop counts as for `--on`. */
export function kindOfStop({ cause }: Stop): StopKind {
  if (cause.kind !== 'limit') return 'transient';
  switch (cause.limit) {
    case 'session':
      return 'five_hour';
    case 'weekly':
      return 'weekly';
    case 'opus':
    case 'sonnet':
    case 'fable':
      return 'model';
    default:
      return 'untyped';
  }
}

/** A kind that is held is left until its owner says otherwise; outside the hours it waits for them. */
export function policyRule({ stop, policy, now }: Situation): Verdict | null {
  if (stop === null) return unreadable('no stop was read');
  const kind = kindOfStop(stop);
  if (policy.on[kind] === 'hold') return skip('operator', `held: --on ${kind}=hold`);
  const { hours } = policy;
  if (hours === null) return null;
  const zone = parseZone(hours.zone ?? 'UTC');
  if (zone === null) return unreadable('the zone of --only is not known');
  const opens = opensAt(hours, zone, now);
  return opens === null ? null : wait('operator', 'outside the hours of --only', opens);
}
