package imports

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/services/jobfile"
)

// xxlDump is what mysqldump writes of XXL-JOB 2.4 or 3: rows in one INSERT, escapes,
// comments, no column names.
const xxlDump = "-- MySQL dump 10.13\n/*!40101 SET NAMES utf8mb4 */;\nCREATE TABLE `xxl_job_group` (\n  `id` int(11) NOT NULL AUTO_INCREMENT,\n  `app_name` varchar(64) NOT NULL COMMENT '执行器AppName, (x)',\n" +
	"  `title` varchar(12) NOT NULL,\n  `address_type` tinyint(4) NOT NULL DEFAULT '0',\n  `address_list` text,\n  `update_time` datetime DEFAULT NULL,\n  PRIMARY KEY (`id`)\n) ENGINE=InnoDB;\n" +
	"INSERT INTO `xxl_job_group` VALUES (1,'Order_Executor','订单',0,NULL,'2024-01-01 00:00:00'),(2,'9stock','仓库',1,'http://10.0.0.1:9999','2024-01-01 00:00:00');\n" +
	"/*!40000 ALTER TABLE `xxl_job_info` DISABLE KEYS */;\n" +
	"INSERT INTO `xxl_job_info` VALUES\n" +
	`(1,1,'关闭超时订单','2018-11-03 22:21:31','2018-11-03 22:21:31','XXL','a@b.c','CRON','0 0 10 ? * 2-6','DO_NOTHING','FIRST','closeOrders','{"days":30}','SERIAL_EXECUTION',0,0,'BEAN','','GLUE代码初始化','2018-11-03 22:21:31','2,3',1,0,0),` + "\n" +
	`(2,1,'it''s a \'child\'\\','2018-11-03 22:21:31','2018-11-03 22:21:31','','','NONE','','FIRE_ONCE_NOW','ROUND','child','a, (b); c','DISCARD_LATER',90,2,'BEAN',NULL,NULL,NULL,NULL,1,0,0),` + "\n" +
	`(3,2,'shell','2018-11-03 22:21:31','2018-11-03 22:21:31','','','FIX_RATE','30','DO_NOTHING','SHARDING_BROADCAST','','p','COVER_EARLY',0,0,'GLUE_SHELL','#!/bin/bash\necho \"hi\"\n','x','2018-11-03 22:21:31','99',0,0,0),` + "\n" +
	"(4,2,'groovy','2018-11-03 22:21:31','2018-11-03 22:21:31','','','NONE','','DO_NOTHING','RANDOM','','','COVER_EARLY',0,0,'GLUE_GROOVY','class X {}','x','2018-11-03 22:21:31','',1,0,0);\nUNLOCK TABLES;\n"

func TestXXLDump(t *testing.T) {
	t.Parallel()
	r := XXLJob([]byte(xxlDump), Options{Source: "dump.sql", Zone: "Asia/Shanghai"})
	off := false
	want := []jobfile.Document{{Version: 1, App: "app-9stock", Jobs: []jobfile.Job{{
		Name: "shell", Handler: "command", Parameters: []byte(`{"command":["bash","-c","#!/bin/bash\necho \"hi\"\n","xxl-job","p","0","1"]}`), Enabled: &off,
		Trigger: jobfile.Trigger{FixedRate: &jobfile.FixedRate{Every: "30s"}}, Concurrency: "REPLACE", Timeout: "24h", Delivery: "AT_MOST_ONCE",
		Misfire: &jobfile.Misfire{Policy: "SKIP", Grace: "5s"}, Routing: &jobfile.Routing{Strategy: "BROADCAST"}, Comment: "xxl_job_info 3, line 17 of dump.sql",
	}}}, {Version: 1, App: "order_executor", Jobs: []jobfile.Job{{
		Name: "关闭超时订单", Handler: "closeOrders", Parameters: []byte(`{"days":30}`), Labels: map[string]string{"author": "XXL"},
		Trigger: jobfile.Trigger{Cron: &jobfile.Cron{Expression: "0 0 10 ? * 2-6", Zone: "Asia/Shanghai"}}, MaxRunning: 1, Timeout: "24h", Delivery: "AT_MOST_ONCE",
		Misfire: &jobfile.Misfire{Policy: "SKIP", Grace: "5s"}, Comment: "xxl_job_info 1, line 15 of dump.sql",
	}, {
		Name: `it's a 'child'\`, Handler: "child", Parameters: []byte(`"a, (b); c"`),
		Trigger:     jobfile.Trigger{Dependency: &jobfile.Dependency{Upstream: []jobfile.Upstream{{Job: "关闭超时订单"}}}},
		Concurrency: "SKIP", Timeout: "90s", Retry: &jobfile.Retry{MaxAttempts: 3}, Delivery: "AT_MOST_ONCE", Routing: &jobfile.Routing{Strategy: "ROUND_ROBIN"},
		Misfire: &jobfile.Misfire{Policy: "FIRE_ONCE", Grace: "5s"}, Comment: "xxl_job_info 2, line 16 of dump.sql",
	}}}}
	if d := cmp.Diff(want, r.Documents, cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".where" }, cmp.Ignore())); d != "" {
		t.Error(d)
	}
	var lost []string
	for _, n := range r.Notes {
		if n.Level == Lost {
			lost = append(lost, n.Name+": "+n.Text)
		}
	}
	text := strings.Join(lost, "\n")
	for _, part := range []string{"a@b.c", "Its child 99 is not in the dump", "shell: It has a schedule of its own and also runs after", "groovy: Its source is kept in XXL-JOB's database (GLUE_GROOVY)"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	if len(lost) != 4 {
		t.Errorf("%d lost:\n%s", len(lost), text)
	}
}

// Old dumps have job_cron; CSV has names and one app by option.
func TestXXLOldAndCSV(t *testing.T) {
	t.Parallel()
	old := "INSERT INTO xxl_job_info (`id`, `job_group`, `job_cron`, `job_desc`, `executor_handler`, `glue_type`, `executor_block_strategy`) VALUES (7, 1, '0 0 0 * * ? *', 'old', 'h', 'BEAN', 'COVER_EARLY');"
	r := XXLJob([]byte(old), Options{App: "ops"})
	if r.Jobs() != 1 || r.Documents[0].Jobs[0].Trigger.Cron.Expression != "0 0 0 * * ? *" {
		t.Errorf("%+v", r)
	}
	table := "id,job_desc,schedule_type,schedule_conf,executor_handler,executor_param,glue_type,child_jobid\n" +
		"1,\"a, \"\"b\"\"\",CRON,0 0 1 L * ?,h,\"two\nlines\",BEAN,\n2,c,NONE,NULL,h2,,BEAN,\n3,five,CRON,0 1 * * *,h,,BEAN,2\n"
	r = XXLJob([]byte(table), Options{App: "ops", Zone: "UTC"})
	if r.Jobs() != 2 || r.Documents[0].Jobs[0].Name != `a, "b"` || string(r.Documents[0].Jobs[0].Parameters) != `"two\nlines"` {
		t.Errorf("%+v", r)
	}
	// The parent of c was not carried.
	if j := r.Documents[0].Jobs[1]; !j.Trigger.Manual || r.Count(Lost) != 2 {
		t.Errorf("%+v %v", j.Trigger, r.Notes)
	}
	if r := XXLJob([]byte(table), Options{}); r.Jobs() != 0 || !strings.Contains(r.Notes[len(r.Notes)-1].Text, "give --app") {
		t.Errorf("%+v", r)
	}
}

func TestXXLCircle(t *testing.T) {
	t.Parallel()
	r := XXLJob([]byte("id,job_desc,schedule_type,executor_handler,child_jobid\n1,a,NONE,h,2\n2,b,NONE,h,1\n"), Options{App: "ops"})
	var manual int
	for _, j := range r.Documents[0].Jobs {
		if j.Trigger.Manual {
			manual++
		}
	}
	if manual != 1 || r.Count(Lost) != 1 {
		t.Errorf("%+v", r)
	}
}

func FuzzXXLJob(f *testing.F) {
	f.Add(xxlDump)
	f.Add("id,job_desc,schedule_type,executor_handler,child_jobid\n1,a,NONE,h,1\n")
	f.Add("INSERT INTO x.xxl_job_info VALUES (1,2,(3),_binary'x' 'y',0x41,NULL,-1.5,NOW()")
	f.Fuzz(func(t *testing.T, text string) {
		readable(t, XXLJob([]byte(text), Options{App: "ops"}))
	})
}
