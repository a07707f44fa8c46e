import { graphql } from '@/graphql/generated';

export const UpdateViewer = graphql(`
  mutation UpdateViewer($input: UpdateViewerInput!) {
    updateViewer(input: $input) {
      viewer {
        name
        isToken
        role
        roleInAllApps
        locale
        timeZone
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const PersonFields = graphql(`
  fragment PersonFields on Person {
    id
    name
    contacts {
      email
      mobile
      feishuId
      wecomId
      slackId
      telegramId
      discordId
    }
  }
`);

export const PeopleQuery = graphql(`
  query People {
    people {
      ...PersonFields
    }
  }
`);

export const UpdateContacts = graphql(`
  mutation UpdateContacts($input: UpdateContactsInput!) {
    updateContacts(input: $input) {
      person {
        ...PersonFields
      }
      userErrors {
        ...UserError
      }
    }
  }
`);

export const SecondFactorFields = graphql(`
  fragment SecondFactorFields on SecondFactor {
    since
    recoveryCodesLeft
    required
    available
  }
`);

export const SecondFactorQuery = graphql(`
  query SecondFactor {
    secondFactor {
      ...SecondFactorFields
    }
  }
`);

export const BeginSecondFactor = graphql(`
  mutation BeginSecondFactor($currentPassword: String!) {
    beginSecondFactor(currentPassword: $currentPassword) {
      secret
      qr
      userErrors {
        ...UserError
      }
    }
  }
`);

export const ConfirmSecondFactor = graphql(`
  mutation ConfirmSecondFactor($code: String!) {
    confirmSecondFactor(code: $code) {
      recoveryCodes
      userErrors {
        ...UserError
      }
    }
  }
`);

export const RenewRecoveryCodes = graphql(`
  mutation RenewRecoveryCodes($currentPassword: String!) {
    renewRecoveryCodes(currentPassword: $currentPassword) {
      recoveryCodes
      userErrors {
        ...UserError
      }
    }
  }
`);

export const RemoveSecondFactor = graphql(`
  mutation RemoveSecondFactor($currentPassword: String!) {
    removeSecondFactor(currentPassword: $currentPassword) {
      userErrors {
        ...UserError
      }
    }
  }
`);

export const OwnSessionRow = graphql(`
  fragment OwnSessionRow on Session {
    id
    current
    createdAt
    lastSeenAt
    expiresAt
    method
    address
    agent
  }
`);

export const OwnSessionsQuery = graphql(`
  query OwnSessions {
    sessions {
      ...OwnSessionRow
    }
  }
`);

export const EndOwnSession = graphql(`
  mutation EndOwnSession($id: ID!) {
    endSession(id: $id) {
      session {
        id
      }
      userErrors {
        ...UserError
      }
    }
  }
`);
