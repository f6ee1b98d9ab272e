import { count } from '../count.ts'

/** Texts of the time report. */
export const timeReportTexts = {
  title: 'Time report',
  about: 'Your own time, and that of projects that you lead. Running timers are not counted.',
  unit: 'Period',
  units: { week: 'Week', month: 'Month', year: 'Year' },
  group: 'Grouped by',
  groups: {
    project: 'Project',
    person: 'Person',
    task: 'Task',
    label: 'Label',
    day: 'Day',
    week: 'Week',
  },
  project: 'Project',
  anyProject: 'All projects',
  person: 'Person',
  anyPerson: 'Everyone',
  columns: { time: 'Time', billable: 'Billable', estimate: 'Estimate' },
  total: 'Total',
  truncated: 'Not all groups are shown. Choose a shorter period or a project.',
  download: 'Download CSV',
  downloaded: (n: number) => `${count(n, 'entry', 'entries')} downloaded`,
  empty: {
    title: 'No time in this period',
    text: 'Choose another period, or log time on the time sheet.',
  },
}
