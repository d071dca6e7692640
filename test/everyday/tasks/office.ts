/** Lists everyday tasks with mail, schedules, memory and the tools of MCP servers. */
import { type Call, fetchPage, read, search, type Task, task } from '../task.ts';

const draft = (subject: string, more: object = {}): Call => [
  'mail_draft',
  { to: 'bob@friends.test', subject, text: 'Hello Bob.', ...more },
];
const remember = (text: string): Call => ['memory', { add: text }];
const schedule = (text: string, cron: string): Call => [
  'schedule',
  { add: { text, cron, timezone: 'Europe/Berlin' } },
];
const trip = (name: string, input: object = {}): Call => [`mcp_trip_${name}`, { ...input }];
const calendar = (name: string, input: object = {}): Call => [`mcp_calendar_${name}`, { ...input }];

export const OFFICE: readonly Task[] = [
  { ...task('draft a mail', 1, 'Write to Bob.', [draft('Dinner')]), mail: true },
  {
    ...task('draft a mail with a file of the project', 1, 'Send Bob the notes.', [
      draft('Notes', { attach: ['docs/cart.md'] }),
    ]),
    mail: true,
  },
  {
    ...task('draft two mails', 2, 'Invite Bob twice.', [draft('First')], [draft('Second')]),
    mail: true,
  },
  {
    ...task(
      'draft a mail about a page',
      1,
      'Tell Bob what http://{docs}/page/1 says.',
      [fetchPage('/page/1')],
      [draft('A page')],
    ),
    mail: true,
  },
  task('set a daily reminder', 1, 'Remind me every day.', [schedule('Water the plants.', '0 9 * * *')]),
  task(
    'look at the schedules',
    0,
    'What is planned?',
    [['schedule', { list: true }]],
    [calendar('list_events')],
  ),
  task(
    'plan a weekly report',
    1,
    'Report every Monday about harbors.',
    [search('harbors')],
    [schedule('Report about harbors.', '0 8 * * 1')],
  ),
  task(
    'remember three things about the project',
    0,
    'Remember how we work.',
    [read('README.md')],
    [remember('Uses node:test.')],
    [remember('Writes in English.')],
    [remember('Ships on Fridays.')],
  ),
  task(
    'plan a trip: look only',
    0,
    'Which trains go to Rome?',
    [trip('find_trains', { to: 'Rome' })],
    [trip('find_hotels', { in: 'Rome' })],
    [trip('find_trains', { to: 'Milan' })],
  ),
  task(
    'plan and book a trip, and put it into the calendar',
    3,
    'Book me a trip to Rome.',
    [trip('find_trains', { to: 'Rome' }), trip('find_hotels', { in: 'Rome' })],
    [calendar('list_events')],
    [trip('book_train', { id: 1 })],
    [trip('book_hotel', { id: 2 })],
    [calendar('add_event', { text: 'Train to Rome' })],
    [calendar('add_event', { text: 'Hotel in Rome' })],
  ),
  task(
    'put five events into the calendar',
    1,
    'Plan my week.',
    ...[1, 2, 3, 4, 5].map(day => [calendar('add_event', { text: `Day ${day}` })]),
  ),
  task(
    'move events between two servers',
    1,
    'Put my trips into the calendar.',
    [trip('find_trains', { to: 'Rome' })],
    [calendar('add_event', { text: 'Rome' })],
    [calendar('add_event', { text: 'Milan' })],
    [calendar('add_event', { text: 'Turin' })],
  ),
];
