import { addChannels } from './alert-night/channels.ts';
import { addFailedTask } from './alert-night/failed.ts';
import { addIncidents } from './alert-night/incidents.ts';
import { addNotes } from './alert-night/notes.ts';
import { addRules } from './alert-night/rules.ts';
import { addSchedules } from './alert-night/schedules.ts';
import { addSilences } from './alert-night/silences.ts';
import { trialOfWeek } from './alert-night/trial.ts';
import { makePerson } from './alert-records.ts';
import type { JobRecord } from './records.ts';
import type { World } from './world.ts';

/** A night with alerts: channels, rules, incidents of every kind, what was sent and what was not. */
export function addAlerts(world: World, nightly: JobRecord, close: JobRecord): void {
  const [group] = world.groups;
  const [, , away] = world.nodes;
  if (!group || !away) return;
  const person = makePerson('admin');
  Object.assign(person.contacts, { email: 'admin@example.com', mobile: '13800138000' });
  world.people.push(person, makePerson('li.lei'), makePerson('han.meimei'));
  const me = person.id;
  const channels = addChannels(world);
  const rules = addRules(world, { nightly, group, me, channels });
  const taskId = addFailedTask(world, nightly).id;
  const silenceId = addSilences(world, group).id;
  addIncidents(world, { nightly, close, group, away, taskId, silenceId, rules });
  addNotes(world, channels, rules);
  addSchedules(world, { group, me, channels });
  world.trial = trialOfWeek();
}
