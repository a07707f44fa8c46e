import { graphql } from '@/graphql/generated';

export const ChannelRow = graphql(`
  fragment ChannelRow on AlertChannel {
    id
    name
    kind
    enabled
    disabledReason
    language
    perMinute
    burst
    queued
    lastSentAt
    lastError
    createdAt
    version
  }
`);

export const ChannelDetail = graphql(`
  fragment ChannelDetail on AlertChannel {
    ...ChannelRow
    settings
    maxAge
    templates {
      kind
      subject
      body
    }
  }
`);

export const ChannelsQuery = graphql(`
  query AlertChannels {
    alertChannels {
      ...ChannelRow
    }
  }
`);

export const ChannelQuery = graphql(`
  query AlertChannel($id: ID!) {
    alertChannel(id: $id) {
      ...ChannelDetail
    }
  }
`);

export const ChannelKindsQuery = graphql(`
  query ChannelKinds {
    channelKinds {
      kind
      perMinute
      burst
      sizeLimit
      sizeUnit
      note
    }
  }
`);

export const CreateChannel = graphql(`
  mutation CreateAlertChannel($input: AlertChannelInput!) {
    createAlertChannel(input: $input) {
      channel {
        ...ChannelDetail
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const UpdateChannel = graphql(`
  mutation UpdateAlertChannel($id: ID!, $input: AlertChannelInput!) {
    updateAlertChannel(id: $id, input: $input) {
      channel {
        ...ChannelDetail
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const DeleteChannel = graphql(`
  mutation DeleteAlertChannel($id: ID!) {
    deleteAlertChannel(id: $id) {
      channel {
        id
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const EnableChannel = graphql(`
  mutation EnableAlertChannel($id: ID!) {
    enableAlertChannel(id: $id) {
      channel {
        ...ChannelRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const DisableChannel = graphql(`
  mutation DisableAlertChannel($id: ID!) {
    disableAlertChannel(id: $id) {
      channel {
        ...ChannelRow
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const TestChannel = graphql(`
  mutation TestAlertChannel($id: ID!) {
    testAlertChannel(id: $id) {
      ok
      status
      response
      error
      duration
      userErrors {
        ...UserError
      }
    }
  }
`);

export const MessagePreviewQuery = graphql(`
  query MessagePreview($input: MessagePreviewInput!) {
    messagePreview(input: $input) {
      subject
      body
      bytes
      truncated
      error {
        ...UserError
      }
    }
  }
`);
