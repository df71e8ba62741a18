import { getKey, OptionError, setKey } from 'client-ts/internal';
import { apiVersionOf, type GroupVersion } from 'client-ts/meta';

/**
 * Switches API versions on and off, like `--runtime-config` of kube-apiserver: by group-version
 * (`batch/v1`), by maturity (`api/ga`, `api/beta`, `api/alpha`) or all (`api/all`). The most
 * specific entry counts. Without an entry stable versions are on, beta and alpha ones off.
 */
export type RuntimeConfig = Readonly<Record<string, boolean>>;

/** Returns the versions that are on. Throws for an entry that matches nothing. */
export function enabledVersions(
  versions: readonly GroupVersion[],
  config: RuntimeConfig,
): readonly GroupVersion[] {
  const known = new Set(['api/all', ...MATURITIES, ...versions.map(apiVersionOf)]);
  for (const key of Object.keys(config)) {
    if (known.has(key)) continue;
    throw new OptionError('runtimeConfig', `${JSON.stringify(key)} is not a served API version`);
  }
  return versions.filter((version) => {
    const maturity = maturityOf(version);
    return (
      getKey(config, apiVersionOf(version)) ??
      config[maturity] ??
      config['api/all'] ??
      maturity === 'api/ga'
    );
  });
}

/** Parses `api/all=true,batch/v1=false`. A name without a value is switched on. */
export function parseRuntimeConfig(text: string): RuntimeConfig {
  const config: Record<string, boolean> = {};
  for (const entry of text.split(',')) {
    const [key = '', value = 'true'] = entry.trim().split('=');
    if (key === '') continue;
    if (value !== 'true' && value !== 'false') {
      throw new OptionError('runtimeConfig', `${JSON.stringify(entry)} is not true or false`);
    }
    setKey(config, key, value === 'true');
  }
  return config;
}

const MATURITIES = ['api/ga', 'api/beta', 'api/alpha'] as const;

function maturityOf({ version }: GroupVersion): (typeof MATURITIES)[number] {
  if (version.includes('alpha')) return 'api/alpha';
  return version.includes('beta') ? 'api/beta' : 'api/ga';
}
