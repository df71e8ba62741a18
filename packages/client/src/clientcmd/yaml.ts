import type { JsonValue } from '../lib/index.ts';
import { ConfigError } from './config-error.ts';

/**
 * Reads YAML as kubectl does: version 1.1, where `yes` and `on` are booleans. The library is loaded
 * when the first file is read; a program that brings its own `Config` never pays for it.
 */
export async function parseYaml(text: string, file: string): Promise<JsonValue> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { version: '1.1', schema: 'yaml-1.1', merge: true });
  const [problem] = document.errors;
  if (problem !== undefined) {
    const [start] = problem.linePos ?? [];
    const where = start === undefined ? file : `${file}:${start.line}`;
    // The library's message quotes the line, which may hold a secret.
    throw new ConfigError('CONFIG_INVALID', `${where}: not valid YAML (${problem.code})`);
  }
  return (document.toJS({ maxAliasCount: 100 }) ?? null) as JsonValue;
}
