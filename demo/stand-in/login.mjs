// A login for a sample home in the client's shape; every value is made up.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @type {typeof import('./login.mjs').writeLogin} */
export function writeLogin(home) {
  const claudeAiOauth = {
    accessToken: 'sk-ant-oat01-fake',
    refreshToken: 'sk-ant-ort01-fake',
    expiresAt: 4_102_444_800_000,
    scopes: ['user:inference', 'user:profile', 'user:sessions:claude_code'],
    subscriptionType: 'max',
    rateLimitTier: 'default_claude_max_20x',
  };
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, '.credentials.json'), JSON.stringify({ claudeAiOauth }), {
    mode: 0o600,
  });
}
