import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigError } from './config-error.ts';
import { linkTarget, replaceFile } from './replace-file.ts';

export interface WriteKubeconfigOptions {
  /**
   * True for a path that a person chose: if it is a symbolic link, the file behind it is written.
   * Otherwise the link is replaced, so that the credentials do not go where somebody else points.
   * Default false.
   */
  readonly followLinks?: boolean;
  /** What to do if the file cannot be written. Default: choose another path. */
  readonly hint?: string;
}

/**
 * Writes a whole kubeconfig, with its folder if there is none. It holds credentials, so only the
 * owner can read it afterwards, also if there was a file with a wider mode before.
 */
export async function writeKubeconfig(
  file: string,
  content: string,
  { followLinks = false, hint = 'Choose another path.' }: WriteKubeconfigOptions = {},
): Promise<void> {
  try {
    const target = followLinks ? await linkTarget(file) : file;
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await replaceFile(target, content, { mode: 0o600 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError('CONFIG_UNWRITABLE', `cannot write ${file}: ${reason}`, { cause, hint });
  }
}
