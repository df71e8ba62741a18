import type { Random } from 'client-ts/internal';

/** Letters and digits that spell no words and are not mistaken for each other. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const LONGEST_NAME = 63;

/** A name from a prefix and five random characters, never longer than 63. */
export function generateName(prefix: string, random: Random): string {
  let suffix = '';
  for (let index = 0; index < SUFFIX_LENGTH; index++) {
    suffix += ALPHABET[Math.floor(random.next() * ALPHABET.length)];
  }
  return prefix.slice(0, LONGEST_NAME - SUFFIX_LENGTH) + suffix;
}
