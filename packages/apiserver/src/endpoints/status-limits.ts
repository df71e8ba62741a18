import type { Status, StatusCause } from 'client-ts/meta';

/**
 * As many characters as the message of an answer may have, and as all of its causes together.
 * Validation stays below this by itself, with better words.
 */
const MOST_TEXT = 2_000_000;
const LONGEST_NAME = 10_000;

/**
 * The Status with its texts cut to a length. Errors quote what clients sent, escaped once or twice,
 * so without a bound a request of a few megabytes makes an answer of many more.
 */
export function boundedStatus(status: Status): Status {
  const { message = '', details } = status;
  const { name, causes = [] } = details ?? {};
  const size = causes.reduce((sum, cause) => sum + sizeOf(cause), 0);
  if (message.length <= MOST_TEXT && size <= MOST_TEXT && (name ?? '').length <= LONGEST_NAME) {
    return status;
  }
  return {
    ...status,
    message: cut(message, MOST_TEXT),
    ...(details && {
      details: {
        ...details,
        ...(name !== undefined && { name: cut(name, LONGEST_NAME) }),
        ...(details.causes && { causes: boundedCauses(causes) }),
      },
    }),
  };
}

function boundedCauses(causes: readonly StatusCause[]): StatusCause[] {
  const bounded: StatusCause[] = [];
  let room = MOST_TEXT;
  for (const cause of causes) {
    if (room <= 0) break;
    const { message, field } = cause;
    bounded.push({
      ...cause,
      ...(field !== undefined && { field: cut(field, LONGEST_NAME) }),
      ...(message !== undefined && { message: cut(message, room) }),
    });
    room -= sizeOf(cause);
  }
  return bounded;
}

/** Empty texts count too. */
function sizeOf({ message = '', field = '' }: StatusCause): number {
  return message.length + field.length + 1;
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // Not in the middle of a character that takes two.
  const end = /[\ud800-\udbff]/.test(text[length - 1] ?? '') ? length - 1 : length;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}
