package job

import (
	"fmt"
	"strings"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

// namedUpstream is how many upstream jobs a sentence names.
const namedUpstream = 5

// DependencyWords says in a sentence when a job with a dependency trigger fires, in
// English or Chinese (en, zh-CN).
func DependencyWords(j *models.Job, upstream []Upstream, locale string) string {
	chinese := schedule.Lang(locale) == schedule.Chinese
	switch {
	case len(upstream) == 0 && chinese: // of a deleted job
		return "上游作业结束后"
	case len(upstream) == 0:
		return "When upstream jobs have ended"
	case chinese:
		return chineseDependency(j, upstream)
	}
	return englishDependency(j, upstream)
}

func englishDependency(j *models.Job, upstream []Upstream) string {
	ends := map[models.DependencyCondition]string{models.OnSuccess: " has succeeded", models.OnFailure: " has failed", models.OnCompletion: " has ended"}
	parts := make([]string, 0, namedUpstream+1)
	for _, u := range upstream[:min(len(upstream), namedUpstream)] {
		parts = append(parts, `"`+u.Name+`"`+ends[u.On])
	}
	link := " and "
	if j.DependencyMode == models.DependencyAny {
		link = " or "
	}
	if more := len(upstream) - namedUpstream; more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	text := "When " + listed(parts, ", ", link)
	zone := " (" + j.Zone + ")"
	switch j.DependencyWindow {
	case models.WindowRun:
		return text + " in the same run"
	case models.WindowHour:
		return text + " for the same hour" + zone
	case models.WindowDay:
		return text + " for the same day" + zone
	case models.WindowWeek:
		return text + " for the same week" + zone
	case models.WindowMonth:
		return text + " for the same month" + zone
	}
	return text
}

func chineseDependency(j *models.Job, upstream []Upstream) string {
	ends := map[models.DependencyCondition]string{models.OnSuccess: "成功", models.OnFailure: "失败", models.OnCompletion: "结束"}
	parts := make([]string, 0, namedUpstream+1)
	for _, u := range upstream[:min(len(upstream), namedUpstream)] {
		parts = append(parts, "“"+u.Name+"”"+ends[u.On])
	}
	if more := len(upstream) - namedUpstream; more > 0 {
		parts = append(parts, fmt.Sprintf("另外 %d 个作业", more))
	}
	link := "且"
	if j.DependencyMode == models.DependencyAny {
		link = "或"
	}
	zone := "(" + j.Zone + ")"
	window := map[models.DependencyWindow]string{
		models.WindowRun: "同一次运行中", models.WindowHour: "同一小时" + zone + "内", models.WindowDay: "同一天" + zone + "内",
		models.WindowWeek: "同一周" + zone + "内", models.WindowMonth: "同一月" + zone + "内",
	}[j.DependencyWindow]
	return window + listed(parts, "、", link) + "后"
}

// listed joins parts, the last with a link of its own.
func listed(parts []string, comma, link string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], comma) + link + parts[last]
}
