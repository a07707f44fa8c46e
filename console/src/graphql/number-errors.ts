import type { TFunction } from 'i18next';
import type { UserErrorFragment } from '@/graphql/generated/graphql';

/**
 * int: fits GraphQL's Int. long: a 64-bit number, sent as text. decimal: with or without a fraction.
 * duration: as Go writes it, 1h30m.
 */
const shapes = {
  int: /^-?\d{1,9}$/,
  long: /^-?\d{1,18}$/,
  decimal: /^-?\d{1,9}(\.\d+)?$/,
  duration: /^[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/,
} as const;

const wants = {
  int: 'number.whole',
  long: 'number.whole',
  decimal: 'number.decimal',
  duration: 'number.duration',
} as const;

/** A field that asks for a number or a length of time, as typed. */
export interface NumberField {
  /** As the server names it, "input.perMinute". */
  path: string;
  label: string;
  text: string;
  shape: keyof typeof shapes;
  /** It must not be empty. */
  required?: boolean;
}

/**
 * The fields whose text is no number, or no length of time, as refusals at their fields: what is no number cannot be sent,
 * and would otherwise count as not given. Which numbers are allowed says the server.
 */
export function numberErrors(fields: readonly NumberField[], t: TFunction): UserErrorFragment[] {
  return fields.flatMap(({ path, label, text, shape, required }) => {
    const typed = text.trim();
    if (typed === '' ? !required : shapes[shape].test(typed)) return [];
    const wanted = t(wants[shape]);
    const wrong = shape === 'duration' ? 'number.noDuration' : 'number.wrong';
    const message =
      typed === ''
        ? t('number.empty', { label, wanted })
        : t(wrong, { label, text: typed, wanted });
    return [{ code: 'INVALID', field: path.split('.'), message }];
  });
}
