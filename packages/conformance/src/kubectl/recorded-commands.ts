import { readFile } from 'node:fs/promises';
import type { JsonValue } from 'client-ts/lib';

/** A kubectl command and the requests that it was seen to make; see `recordings/README.md`. */
export interface RecordedCommand {
  readonly id: string;
  readonly about: string;
  readonly command: string;
  readonly requests: readonly RecordedCommandRequest[];
}

export interface RecordedCommandRequest {
  readonly method: string;
  readonly path: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly status: number;
  readonly responseType?: string;
  /** Of writes, where it was seen. */
  readonly body?: JsonValue;
}

const file = new URL('../../recordings/kubectl.json', import.meta.url);

/** The recorded commands, in the order in which they were run. */
export async function loadRecordedCommands(): Promise<RecordedCommand[]> {
  const { commands } = JSON.parse(await readFile(file, 'utf8')) as { commands: RecordedCommand[] };
  return commands;
}
