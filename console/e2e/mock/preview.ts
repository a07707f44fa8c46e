import { fires } from './queries.ts';
import type { World } from './world.ts';

interface PreviewInput {
  trigger: {
    cron?: { expression: string; zone?: string };
    fixedRate?: { every: string };
    fixedDelay?: { delay: string };
    manual?: boolean;
  };
  count?: number;
  locale?: string;
}

/** A made-up preview: the console never computes fires itself, so any plausible answer serves. */
export function preview(world: World, input: PreviewInput) {
  const { cron } = input.trigger;
  const next = new Date(Math.ceil(world.now().getTime() / 300_000) * 300_000).toISOString();
  const answer = {
    fires: fires(input.trigger.manual ? null : next, input.count ?? 10),
    description: input.locale === 'zh-CN' ? '每 5 分钟' : 'Every 5 minutes',
    dialect: null as string | null,
    warnings: [] as string[],
    error: null as object | null,
  };
  if (!cron) return answer;
  const fields = cron.expression.trim().split(/\s+/);
  const wrong = fields.findIndex((f) => /(^|\D)(6[1-9]|[7-9]\d|\d{3,})/.test(f));
  if (fields.length < 5 || wrong >= 0) {
    return {
      ...answer,
      fires: [],
      description: '',
      error: {
        code: 'INVALID',
        field: ['input', 'trigger', 'cron', 'expression'],
        message:
          wrong >= 0
            ? `minute field, position ${cron.expression.indexOf(fields[wrong] ?? '') + 1}: ${fields[wrong]} is out of range; use 0 to 59`
            : `position ${cron.expression.length + 1}: the expression has ${fields.length} field(s); write five fields (minute hour day month weekday), six (second first) or seven (second first, year last)`,
      },
    };
  }
  return {
    ...answer,
    dialect: fields.length > 5 ? 'quartz' : 'unix',
    warnings:
      cron.zone === 'Europe/Berlin'
        ? ['02:30 does not exist on 2027-03-28: it fires at 03:00.']
        : [],
  };
}
