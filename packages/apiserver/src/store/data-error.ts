import { ClientError, defineErrors } from 'client-ts/internal';

const DATA_ERRORS = {
  APISERVER_DATA_CLOSED: { retry: 'never', when: 'The server has been closed.' },
  APISERVER_DATA_CORRUPT: {
    retry: 'never',
    when: 'The database is damaged.',
    hint: 'Restore the directory from a backup, or remove it to begin again.',
  },
  APISERVER_DATA_FAILED: {
    retry: 'later',
    when: 'The database cannot be read or written.',
    hint: 'Check the disk and the permissions of the directory.',
  },
  APISERVER_DATA_FOREIGN: {
    retry: 'never',
    when: 'The file is not a database of this server.',
    hint: 'Choose another directory.',
  },
  APISERVER_DATA_FULL: {
    retry: 'later',
    when: 'The disk is full. What was acknowledged is kept.',
    hint: 'Free some space on the disk; the server then continues without a restart.',
  },
  APISERVER_DATA_IN_USE: {
    retry: 'later',
    when: 'Another server has the directory open.',
    hint: 'Stop the other server, or choose another directory.',
  },
  APISERVER_DATA_NEWER: {
    retry: 'never',
    when: 'A newer version of the server has written the database.',
    hint: 'Use that version, or choose another directory.',
  },
  APISERVER_DATA_READ_ONLY: {
    retry: 'never',
    when: 'The database cannot be written.',
    hint: 'Make the directory and its files writable for this user.',
  },
  APISERVER_DATA_RELEASE: {
    retry: 'never',
    when: 'The cluster is of a newer release of Kubernetes than the server.',
    hint: 'Start the server with that release (kubernetesVersion), or choose another directory.',
  },
  APISERVER_DATA_UNSUPPORTED: {
    retry: 'never',
    when: 'The runtime has no SQLite.',
    hint: 'Run the server with Node 22.16 or newer.',
  },
} as const;

/** What a server keeps in its data directory cannot be read or written. */
export class DataError extends ClientError {
  declare readonly code: keyof typeof DATA_ERRORS;

  static {
    defineErrors(this, 'DataError', 'APISERVER', DATA_ERRORS);
  }
}
