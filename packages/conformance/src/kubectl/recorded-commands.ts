import { readFile } from 'node:fs/promises';
import type { JsonValue } from 'client-ts/internal';
import type { VolatileText } from '../recordings/format.ts';

/** A kubectl command and the requests that it made; see `recordings/README.md`. */
export interface RecordedCommand {
  readonly id: string;
  readonly about: string;
  readonly command: string;
  readonly stdout: string;
  readonly stderr?: string;
  /** The output depends on the rest of the cluster. */
  readonly mayVary?: boolean;
  readonly requests: readonly RecordedCommandRequest[];
}

export interface RecordedCommandRequest {
  readonly method: string;
  readonly path: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly status: number;
  readonly responseType?: string;
  /** Of writes, if recorded. */
  readonly body?: JsonValue;
}

/** All commands, in the order in which they ran. */
export interface RecordedCommands {
  readonly volatile: readonly string[];
  readonly volatileText: readonly VolatileText[];
  readonly commands: readonly RecordedCommand[];
}

const file = new URL('../../recordings/kubectl.json', import.meta.url);

/** Reads the recorded commands. */
export async function loadRecordedCommands(): Promise<RecordedCommands> {
  return JSON.parse(await readFile(file, 'utf8')) as RecordedCommands;
}
