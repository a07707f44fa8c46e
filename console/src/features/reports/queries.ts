import { graphql } from '@/graphql/generated';

export const FigureFields = graphql(`
  fragment FigureFields on ReportFigures {
    ran
    succeeded
    failed
    recovered
    takenOver
    late
    missed
    running
    slower
  }
`);

export const ReportLineFields = graphql(`
  fragment ReportLineFields on ReportLine {
    at
    count
    error
    duration
    usual
    job {
      id
      name
      trigger {
        zone
      }
      app {
        id
        name
      }
    }
    task {
      id
    }
  }
`);

export const MorningReportQuery = graphql(`
  query MorningReport($app: ID, $day: Date, $at: String, $zone: String) {
    morningReport(app: $app, day: $day, at: $at, zone: $zone) {
      from
      to
      failedJobs
      missedJobs
      figures {
        ...FigureFields
      }
      week {
        ...FigureFields
      }
      failures {
        ...ReportLineFields
      }
      missed {
        ...ReportLineFields
      }
      slow {
        ...ReportLineFields
      }
      running {
        ...ReportLineFields
      }
    }
  }
`);

export const ScheduleRow = graphql(`
  fragment ScheduleRow on ReportSchedule {
    id
    name
    zone
    at
    days
    enabled
    lastSentAt
    nextAt
    version
    app {
      id
      name
    }
    channels {
      id
      name
    }
    people {
      id
      name
    }
  }
`);

export const ReportSchedulesQuery = graphql(`
  query ReportSchedules {
    reportSchedules {
      ...ScheduleRow
    }
  }
`);

export const CreateReportSchedule = graphql(`
  mutation CreateReportSchedule($input: ReportScheduleInput!) {
    createReportSchedule(input: $input) {
      schedule {
        ...ScheduleRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const UpdateReportSchedule = graphql(`
  mutation UpdateReportSchedule($id: ID!, $input: ReportScheduleInput!) {
    updateReportSchedule(id: $id, input: $input) {
      schedule {
        ...ScheduleRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const DeleteReportSchedule = graphql(`
  mutation DeleteReportSchedule($id: ID!) {
    deleteReportSchedule(id: $id) {
      schedule {
        id
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const SendReportNow = graphql(`
  mutation SendReportNow($id: ID!) {
    sendReportNow(id: $id) {
      schedule {
        ...ScheduleRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);
