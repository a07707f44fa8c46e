import { describe, expect, it } from 'vitest';
import { positionsOf, weekdaysAt, weekText } from './week';

const english = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const chinese = ['周一', '周二', '周三', '周四', '周五', '周六', '周日'];

describe('days of the week', () => {
  it('stand Monday first, in whatever order they come', () => {
    expect(positionsOf(['SUNDAY', 'MONDAY'])).toEqual([0, 6]);
    expect(weekdaysAt([6, 0])).toEqual(['MONDAY', 'SUNDAY']);
  });

  it('join runs of three or more', () => {
    const workdays = weekdaysAt([0, 1, 2, 3, 4]);
    expect(weekText(workdays, english, 'en')).toBe('Mon–Fri');
    expect(weekText([...workdays, 'SUNDAY'], english, 'en')).toBe('Mon–Fri, Sun');
    expect(weekText(['SATURDAY', 'SUNDAY'], english, 'en')).toBe('Sat, Sun');
    expect(weekText([], english, 'en')).toBe('');
  });

  it('are listed as the language does', () => {
    expect(weekText(['SATURDAY', 'SUNDAY'], chinese, 'zh-CN')).toBe('周六、周日');
  });
});
