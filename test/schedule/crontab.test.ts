// Our block comes into a crontab and goes again without touching anything else.
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findBlock,
  putBlock,
  quoteForCron,
  removeBlock,
  splitCronCommand,
} from '../../src/schedule/crontab.ts';
import { fromXml, toXml } from '../../src/schedule/launchd.ts';
import { quoteForExec, splitExec } from '../../src/schedule/systemd.ts';

const value = <T>(result: { ok: true; value: T } | { ok: false; failure: unknown }): T => {
  if (!result.ok) throw new Error(String(result.failure));
  return result.value;
};

const line = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '# BEGIN other',
    'MAILTO=""',
    '0 1 * * * x\r',
    '@reboot a % b',
    '\tx',
    '# secondwind',
  ),
  fc.string(),
);
const crontabs = fc
  .tuple(fc.array(line), fc.constantFrom('', '\n', '\r\n', '\n\n'))
  .map(([lines, end]) => lines.join('\n') + end);

describe('any crontab', () => {
  test('is the same to the byte after our lines came and went', () => {
    fc.assert(
      fc.property(crontabs, (text) => {
        const put = value(putBlock(text, ['* * * * * x']));
        expect(put.endsWith('\n')).toBe(true);
        expect(put.startsWith(text)).toBe(true);
        expect(value(removeBlock(put))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test('takes our lines twice as once, and changed ones in place', () => {
    fc.assert(
      fc.property(crontabs, crontabs, (text, later) => {
        const once = value(putBlock(text, ['1 * * * * x']));
        expect(value(putBlock(once, ['1 * * * * x']))).toBe(once);
        const changed = value(putBlock(once + later, ['2 * * * * y']));
        expect(value(findBlock(changed))?.lines).toEqual(['2 * * * * y']);
        expect(value(putBlock(changed, ['1 * * * * x']))).toBe(once + later);
      }),
    );
  });

  test('keeps what was added below our lines a line of its own', () => {
    const put = value(putBlock('a', ['x']));
    expect(value(removeBlock(`${put}b\n`))).toBe('a\nb\n');
  });
});

describe('refuses markers that do not pair up', () => {
  test.each([
    ['half', '# BEGIN secondwind\nx\n'],
    ['the other half', 'x\n# END secondwind\n'],
    ['the wrong way round', '# END secondwind\n# BEGIN secondwind\n'],
    ['twice', '# BEGIN secondwind\n# END secondwind\n# BEGIN secondwind\n# END secondwind\n'],
    ['nested', '# BEGIN secondwind\n# BEGIN secondwind\n# END secondwind\n# END secondwind\n'],
    ['with carriage returns', '# BEGIN secondwind\r\nx\r\n# END secondwind\r\n'],
    ['indented', ' # BEGIN secondwind\nx\n# END secondwind\n'],
    ['in other case', '# begin secondwind\nx\n# END secondwind\n'],
  ])('%s', (_name, text) => {
    expect(putBlock(text, ['x'])).toMatchObject({ ok: false });
    expect(removeBlock(text)).toMatchObject({ ok: false });
  });
});

const words = fc.array(
  fc.oneof(
    fc.string({ unit: fc.constantFrom(...`aé/ '"%$\\;&|<>#~*!\`(){}[]=@:,`), minLength: 1 }),
    fc.string({ minLength: 1 }).filter((text) => !/\p{Cc}/u.test(text)),
  ),
  { minLength: 1, maxLength: 4 },
);

describe('a command line', () => {
  test('means the same words to sh, whether cron takes backslashes before % and \\ away or leaves them', () => {
    const samples = fc.sample(words, 60);
    for (const sample of samples) {
      const written = sample.map(quoteForCron).join(' ');
      expect(written.replaceAll('\\%', '')).not.toContain('%');
      for (const command of [written, written.replace(/\\([%\\])/g, '$1')]) {
        const read = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${command}`], {
          encoding: 'utf8',
        });
        expect(read.split('\0').slice(0, -1)).toEqual(sample);
      }
    }
  });

  test('of cron, systemd and launchd is read back as it was', () => {
    const plain = words.filter((list) => list.every((word) => !word.includes('>>')));
    fc.assert(
      fc.property(plain, (sample) => {
        const written = sample.map(quoteForCron).join(' ');
        expect(splitCronCommand(`${written} >> /log 2>&1`)).toEqual(sample);
        const exec = sample.map((word, place) => quoteForExec(word, place === 0)).join(' ');
        expect(splitExec(exec)).toEqual(sample);
        expect(sample.map(toXml).map(fromXml)).toEqual(sample);
      }),
    );
  });
});
