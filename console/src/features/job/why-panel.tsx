import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InstantField } from '@/components/ui/instant-field';
import { Panel } from '@/components/ui/page';
import { ErrorLine, ErrorState, SkeletonLines, SlowHint } from '@/components/ui/states';
import { useRead } from '@/graphql/use-read';
import { useZone } from '@/time/view';
import classes from './why.module.css';
import { WhyAnswer } from './why-answer';
import { WhyNotRunQuery } from './why-queries';

interface WhyPanelProps {
  jobId: string;
  zone: string | null;
  /** The instant asked about, from the address; undefined while nothing is asked. */
  at: string | undefined;
  /** Where the field stands at first when nothing is asked. */
  suggestion: string | null;
  onAsk: (at: string | undefined) => void;
}

/** "Why did it not run?": a field for an instant, and the server's answer with its evidence. */
export function WhyPanel(props: WhyPanelProps) {
  const { t } = useTranslation('why');
  const zone = useZone(props.zone);
  const [chosen, setChosen] = useState<string | null>(props.at ?? props.suggestion);
  const [asked, setAsked] = useState(props.at);
  const box = useRef<HTMLDivElement>(null);
  // A row's link or the back button asked for another instant.
  if (asked !== props.at) {
    setAsked(props.at);
    if (props.at) setChosen(props.at);
  }
  useEffect(() => {
    if (props.at) box.current?.scrollIntoView({ block: 'nearest' });
  }, [props.at]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen) props.onAsk(chosen);
  };
  return (
    <div ref={box} className={classes.anchor}>
      <Panel title={t('title')}>
        <form className={classes.ask} onSubmit={submit}>
          <InstantField label={t('at')} zone={zone} value={chosen} onChange={setChosen} />
          <Button type="submit" disabled={chosen === null}>
            {t('ask')}
          </Button>
          {props.at ? (
            <Button variant="subtle" color="gray" onClick={() => props.onAsk(undefined)}>
              {t('clear')}
            </Button>
          ) : null}
        </form>
        {props.at ? (
          <Asked
            key={props.at}
            jobId={props.jobId}
            zone={props.zone}
            at={props.at}
            onAsk={props.onAsk}
          />
        ) : (
          <p className={classes.hint}>{t('hint')}</p>
        )}
      </Panel>
    </div>
  );
}

function Asked(props: {
  jobId: string;
  zone: string | null;
  at: string;
  onAsk: (at: string) => void;
}) {
  const { i18n } = useTranslation();
  const variables = { job: props.jobId, at: props.at, locale: i18n.language };
  const read = useRead({ query: WhyNotRunQuery, variables });
  const why = read.data?.whyNotRun;
  return (
    <div className={classes.asked} aria-live="polite" aria-busy={!why && !read.error}>
      {why && read.error ? <ErrorLine error={read.error} onRetry={read.refetch} /> : null}
      {why ? (
        <WhyAnswer why={why} at={props.at} zone={props.zone} onAsk={props.onAsk} />
      ) : read.error ? (
        <ErrorState error={read.error} onRetry={read.refetch} />
      ) : (
        <SkeletonLines lines={4} />
      )}
      <SlowHint slow={read.slow} />
    </div>
  );
}
