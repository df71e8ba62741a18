import type { Status, StatusCause } from 'client-ts/meta';

/**
 * The limit for the message of a Status, and for all its causes, in characters. Validation stays
 * below it on its own, with better messages.
 */
const MAX_TEXT = 2_000_000;
const MAX_NAME_LENGTH = 10_000;

/**
 * Returns the Status with long texts cut. Errors quote what clients sent, escaped once or twice, so
 * without a limit a request of a few megabytes could produce a much larger response.
 */
export function boundedStatus(status: Status): Status {
  const { message = '', details } = status;
  const { name, causes = [] } = details ?? {};
  const size = causes.reduce((sum, cause) => sum + sizeOf(cause), 0);
  if (message.length <= MAX_TEXT && size <= MAX_TEXT && (name ?? '').length <= MAX_NAME_LENGTH) {
    return status;
  }
  return {
    ...status,
    message: cut(message, MAX_TEXT),
    ...(details && {
      details: {
        ...details,
        ...(name !== undefined && { name: cut(name, MAX_NAME_LENGTH) }),
        ...(details.causes && { causes: boundedCauses(causes) }),
      },
    }),
  };
}

function boundedCauses(causes: readonly StatusCause[]): StatusCause[] {
  const bounded: StatusCause[] = [];
  let room = MAX_TEXT;
  for (const cause of causes) {
    if (room <= 0) break;
    const { message, field } = cause;
    bounded.push({
      ...cause,
      ...(field !== undefined && { field: cut(field, MAX_NAME_LENGTH) }),
      ...(message !== undefined && { message: cut(message, room) }),
    });
    room -= sizeOf(cause);
  }
  return bounded;
}

/** Counts empty texts, too. */
function sizeOf({ message = '', field = '' }: StatusCause): number {
  return message.length + field.length + 1;
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // Does not split a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text[length - 1] ?? '') ? length - 1 : length;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}
