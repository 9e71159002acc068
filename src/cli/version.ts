// The program's version, from package.json at build time.
import manifest from '../../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;
