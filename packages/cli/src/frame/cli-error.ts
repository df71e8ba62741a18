import { ClientError, type ClientErrorOptions, defineErrors } from 'client-ts/internal';

/** The codes of {@link CliError}. */
export const CLI_ERRORS = {
  CLI_CONTEXT_EXISTS: { retry: 'never', hint: 'Choose another name.' },
  CLI_CONTEXT_UNKNOWN: { retry: 'never', hint: 'client-ts config get-contexts lists them.' },
  CLI_CONTEXT_UNSET: { retry: 'never', hint: 'Select one with client-ts config use-context.' },
  CLI_DIRECTORY_IN_USE: {
    retry: 'later',
    hint: 'Stop the other one, or start this one in another directory.',
  },
  CLI_DIRECTORY_NOT_EMPTY: {
    retry: 'never',
    hint: 'Choose another name, or remove the directory.',
  },
  CLI_DIRECTORY_UNWRITABLE: { retry: 'never', hint: 'Start it in a directory you can write to.' },
  CLI_DISCOVERY_INCOMPLETE: { retry: 'later' },
  CLI_DOCUMENTATION_MISSING: {
    retry: 'never',
    hint: 'client-ts api-resources lists resources and their versions.',
  },
  CLI_FIELD_UNKNOWN: {
    retry: 'never',
    hint: 'List the fields with client-ts explain --recursive.',
  },
  CLI_FILE_UNREADABLE: { retry: 'never' },
  CLI_FILE_UNWRITABLE: { retry: 'never' },
  CLI_INSPECTOR_NOT_FOUND: {
    retry: 'later',
    hint: 'The program must call inspect() of @client-ts/inspector; client-ts demo does.',
  },
  CLI_NODE_TOO_OLD: { retry: 'never', hint: 'Use a newer Node for this command.' },
  CLI_NOTHING_SELECTED: {
    retry: 'never',
    hint: 'See what there is with client-ts get --show-labels.',
  },
  CLI_RESOURCE_UNKNOWN: {
    retry: 'never',
    hint: 'client-ts api-resources lists what the server has.',
  },
  CLI_SERVER_NOT_STARTED: { retry: 'never', hint: 'Choose another --port or --host.' },
  CLI_SORT_FIELD_MISSING: { retry: 'never', hint: 'See the field names with -o yaml.' },
  CLI_SORT_FIELD_UNORDERED: {
    retry: 'never',
    hint: 'Choose a field that is a number or a string in all objects.',
  },
} as const;

/** The codes of {@link CliError}. */
export type CliErrorCode = keyof typeof CLI_ERRORS;

/** A failure of a command itself, not of the server or the connection; `code` says which. */
export class CliError extends ClientError {
  declare readonly code: CliErrorCode;

  constructor(code: CliErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'CliError', 'CLI', CLI_ERRORS);
  }
}
