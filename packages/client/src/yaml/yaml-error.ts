import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/index.ts';

/** The codes of {@link YamlError}. */
export const YAML_ERRORS = {
  YAML_INVALID: { retry: 'never', when: 'A text is not YAML, or JSON cannot express it.' },
} as const;

export interface YamlErrorOptions extends ClientErrorOptions {
  /** What is wrong, without anything out of the text. Default: the message. */
  readonly reason?: string;
  /** The line in the text, counted from one, if it is known. */
  readonly line?: number;
}

/**
 * A text that is not YAML, or holds something JSON cannot express. `message` has the words of Go's
 * parser, which may quote the text; `reason` never does, so it is safe for files with secrets.
 */
export class YamlError extends ClientError {
  declare readonly code: keyof typeof YAML_ERRORS;
  readonly reason: string;
  readonly line: number | undefined;

  constructor(message: string, { reason, line, ...options }: YamlErrorOptions = {}) {
    super('YAML_INVALID', message, options);
    this.reason = reason ?? message.replace(/^yaml: /, '');
    this.line = line;
  }

  static {
    defineErrors(this, 'YamlError', 'YAML', YAML_ERRORS);
  }
}
