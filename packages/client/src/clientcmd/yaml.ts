import type { JsonValue } from '../lib/index.ts';
import { ConfigError } from './config-error.ts';

/**
 * Reads the first document of a YAML file, as kubectl does. The parser is loaded with the first file;
 * a program that brings its own `Config` never pays for it.
 */
export async function parseYaml(text: string, file: string): Promise<JsonValue> {
  const { readYaml, YamlError } = await import('../yaml/index.ts');
  try {
    return readYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const where = error.line === undefined ? file : `${file}:${error.line}`;
    // Only the reason: the message and its causes may quote a secret.
    throw new ConfigError('CONFIG_INVALID', `${where}: not valid YAML (${error.reason})`);
  }
}
